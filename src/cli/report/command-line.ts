import { isAbsolute, relative } from 'node:path';

/** Characters that no shell reads as anything but themselves. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** A command as it is typed into a POSIX shell. */
export function formatCommandLine(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A path as short as it is from `cwd`: that of a file in it is relative. */
export function shortenPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}
