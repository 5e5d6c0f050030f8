import { describe, expect, it } from 'vitest';
import { MillraceError, toMillraceError } from '../../base/errors.ts';
import { errorReport, errorToJson } from './error-report.ts';

describe('errorReport', () => {
  const inner = new TypeError('x is no function');
  const failure = new MillraceError('INPUT_UNREADABLE', "input 'a.csv' cannot be read", {
    cause: new Error('EIO', { cause: inner }),
  });

  it('is the reason and the message', () => {
    expect(errorReport(failure, false)).toBe("error INPUT_UNREADABLE: input 'a.csv' cannot be read\n");
  });

  it('tells the causes where that is asked for', () => {
    const text = errorReport(failure, true);
    expect(text).toMatch(/\ncaused by: Error: EIO\n.* at .*\ncaused by: TypeError: x is no function\n/s);
  });

  it('tells the causes of a fault of the program always', () => {
    expect(errorReport(toMillraceError(inner, 'oh'), false)).toContain(
      'caused by: TypeError: x is no function',
    );
  });

  it('tells a cause that is no error', () => {
    expect(errorReport(toMillraceError('text', 'oh'), false)).toContain('\ncaused by: text\n');
  });

  it('ends with causes that go round in a circle', () => {
    const round: Error & { cause?: unknown } = new Error('round');
    round.cause = round;
    expect(errorReport(toMillraceError(round, 'oh'), true).match(/caused by/g)).toHaveLength(8);
  });

  it('is an object for programs', () => {
    expect(errorToJson(failure)).toEqual({
      event: 'error',
      reason: 'INPUT_UNREADABLE',
      code: 'INVALID_ARG',
      message: "input 'a.csv' cannot be read",
    });
  });
});
