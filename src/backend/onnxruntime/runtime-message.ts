/**
 * ONNX Runtime's message without what only its own developers read: the path of its source file, the line, and the
 * C++ signature of the function in which it failed.
 */
export function shortenRuntimeMessage(text: string): string {
  let rest = text.replace(/^Load model from .*? failed:/s, '');
  for (let match = SOURCE_PLACE.exec(rest); match !== null; match = SOURCE_PLACE.exec(rest)) {
    const before = rest.slice(0, match.index);
    rest = before + skipSignature(rest.slice(match.index + match[0].length));
  }
  return rest.replaceAll(/\s+/g, ' ').trim();
}

/** `/onnxruntime_src/onnxruntime/core/graph/model.cc:202 ` or `tensorprotoutils.cc:434 `. */
const SOURCE_PLACE = /\S*\.(?:cc|cpp|cu|cuh|h|hpp):\d+ /;

/**
 * Cuts a function from the start of a text: a signature, whose arguments end at the bracket that closes the first one,
 * with what may follow it (` const`, `::<lambda()>`, ` [with T = float]`), or a bare name such as `GetExtDataFromProto`.
 */
function skipSignature(text: string): string {
  const open = /^(?:[\w:<>~*&, ]+? )?[\w:~]+(?:<[^()]*>)?\(/.exec(text);
  if (open === null) {
    return text.replace(/^[A-Z]\w*[a-z][A-Z]\w* /, '');
  }
  let depth = 0;
  for (let index = open[0].length - 1; index < text.length; index += 1) {
    const character = text[index];
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (depth === 0) {
      return text.slice(index + 1).replace(/^(?: const)?(?:::<lambda\(.*?\)>)?(?: \[with .*?\])? /, '');
    }
  }
  return text;
}
