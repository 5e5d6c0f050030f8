import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../docs/performance.md', import.meta.url));

/** Puts the results of a part between its two markers in docs/performance.md. @throws when the page has none. */
export function writeResults(part: string, results: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = [`<!-- bench ${part} -->`, `<!-- end of ${part} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) {
    throw new Error(`docs/performance.md has no '${begin}' followed by '${end}'`);
  }
  writeFileSync(PAGE, `${page.slice(0, from + begin.length)}\n\n${results}\n\n${page.slice(to)}`);
}
