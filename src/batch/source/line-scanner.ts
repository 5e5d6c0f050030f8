import type { RecordBlock, RecordSpan } from './row-format.ts';

/**
 * Cuts text without quotes at its line ends: \n, \r\n, or \r alone where `loneReturns` says that the file uses it.
 * A \r that ends the text may be half a \r\n and is left for the next block.
 */
export function scanLines(text: string, isLast: boolean, loneReturns: boolean): RecordBlock {
  const lineEnd = loneReturns ? '\r' : '\n';
  const records: RecordSpan[] = [];
  let line = 0;
  let start = 0;
  for (let end = text.indexOf(lineEnd); end !== -1; end = text.indexOf(lineEnd, start)) {
    addRecord(records, text, start, end, line);
    start = end + 1;
    line += 1;
  }
  if (isLast && start < text.length) {
    addRecord(records, text, start, text.length, line);
    start = text.length;
  }
  return { consumed: start, records, lines: line };
}

function addRecord(records: RecordSpan[], text: string, start: number, end: number, line: number): void {
  const contentEnd = end > start && text.charCodeAt(end - 1) === RETURN ? end - 1 : end;
  if (contentEnd > start && !isBlank(text, start, contentEnd)) {
    records.push({ start, end: contentEnd, line, unclosed: false });
  }
}

const RETURN = 13;
const SPACE = 32;
const TAB = 9;

function isBlank(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (code !== SPACE && code !== TAB) {
      return false;
    }
  }
  return true;
}
