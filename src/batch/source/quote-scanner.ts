import type { RecordBlock, RecordSpan } from './row-format.ts';

const QUOTE = '"';

/**
 * Cuts CSV text with quotes at the line ends outside of them. A quote opens a quoted field only where a field begins, as
 * RFC 4180 has it; in a quoted field two quotes are one. Line ends are \n and \r\n, or \r alone where `loneReturns` says so.
 */
export function scanQuotedRecords(
  text: string,
  isLast: boolean,
  delimiter: string,
  loneReturns: boolean,
): RecordBlock {
  const lineEnd = loneReturns ? '\r' : '\n';
  const records: RecordSpan[] = [];
  let start = 0;
  let startLine = 0;
  let line = 0;
  let position = 0;
  let nextQuote = findOpeningQuote(text, 0, delimiter);
  for (;;) {
    const end = text.indexOf(lineEnd, position);
    if (nextQuote !== -1 && (end === -1 || nextQuote < end)) {
      const closing = findClosingQuote(text, nextQuote + 1);
      // A quote at the very end may be the first of two.
      if (closing === -1 || (closing === text.length - 1 && !isLast)) {
        return finish(text, records, { start, line: startLine, unclosed: true }, isLast, line);
      }
      line += countLines(text, nextQuote, closing, lineEnd);
      position = closing + 1;
      nextQuote = findOpeningQuote(text, position, delimiter);
      continue;
    }
    if (end === -1) {
      return finish(text, records, { start, line: startLine, unclosed: false }, isLast, line);
    }
    pushRecord(records, text, start, end, startLine);
    start = end + 1;
    position = start;
    line += 1;
    startLine = line;
  }
}

function finish(
  text: string,
  records: RecordSpan[],
  rest: { readonly start: number; readonly line: number; readonly unclosed: boolean },
  isLast: boolean,
  line: number,
): RecordBlock {
  if (!isLast) {
    return { consumed: rest.start, records, lines: rest.line };
  }
  if (rest.unclosed) {
    records.push({ start: rest.start, end: text.length, line: rest.line, unclosed: true });
  } else {
    pushRecord(records, text, rest.start, text.length, rest.line);
  }
  return { consumed: text.length, records, lines: line };
}

function pushRecord(records: RecordSpan[], text: string, start: number, end: number, line: number): void {
  const contentEnd = end > start && text[end - 1] === '\r' ? end - 1 : end;
  if (contentEnd > start && text.slice(start, contentEnd).trim() !== '') {
    records.push({ start, end: contentEnd, line, unclosed: false });
  }
}

/** The first quote from `from` on with which a field begins; -1 when there is none. */
function findOpeningQuote(text: string, from: number, delimiter: string): number {
  for (let index = text.indexOf(QUOTE, from); index !== -1; index = text.indexOf(QUOTE, index + 1)) {
    const before = index === 0 ? '\n' : text[index - 1];
    if (before === delimiter || before === '\n' || before === '\r') {
      return index;
    }
  }
  return -1;
}

function findClosingQuote(text: string, from: number): number {
  for (let index = text.indexOf(QUOTE, from); index !== -1; index = text.indexOf(QUOTE, index + 2)) {
    if (text[index + 1] !== QUOTE) {
      return index;
    }
  }
  return -1;
}

function countLines(text: string, start: number, end: number, lineEnd: string): number {
  let count = 0;
  for (
    let index = text.indexOf(lineEnd, start);
    index !== -1 && index < end;
    index = text.indexOf(lineEnd, index + 1)
  ) {
    count += 1;
  }
  return count;
}
