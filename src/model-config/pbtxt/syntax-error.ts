import { MillraceError } from '../../base/errors.ts';
import { hintForToken } from './hints.ts';
import type { Position, Token } from './lexer.ts';

const MAX_SHOWN_LENGTH = 60;

/** What a token is not. The parser adds where: file and field path. */
export class TokenError extends Error {
  readonly token: Token;
  readonly candidates: readonly string[];

  /**
   * @param problem what was expected, as `expected an integer`.
   * @param candidates names of which one was probably meant.
   */
  constructor(problem: string, token: Token, candidates: readonly string[] = []) {
    super(problem);
    this.token = token;
    this.candidates = candidates;
  }
}

/** `3:12`, as editors show it. */
export function formatPosition({ line, column }: Position): string {
  return `${line}:${column}`;
}

/** CONFIG_SYNTAX with file, line:column, field path, token and, for near misses, a hint. */
export function createSyntaxError(error: TokenError, fileName: string, path: string): MillraceError {
  const { token, candidates } = error;
  const shown =
    token.text.length > MAX_SHOWN_LENGTH ? `${token.text.slice(0, MAX_SHOWN_LENGTH)}…` : token.text;
  const where = `${fileName}:${formatPosition(token.position)}${path === '' ? '' : ` in '${path}'`}`;
  const found = token.kind === 'end' ? 'the end of the file' : `'${shown}'`;
  const explanation = token.problem === undefined ? '' : ` (${token.problem})`;
  const hint = token.kind === 'identifier' ? hintForToken(token.text, candidates) : '';
  return new MillraceError('CONFIG_SYNTAX', `${where}: ${error.message}, got ${found}${explanation}${hint}`, {
    details: { file: fileName, ...token.position, field: path, token: shown },
  });
}
