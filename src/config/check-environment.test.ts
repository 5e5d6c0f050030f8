import { describe, expect, it } from 'vitest';
import { STATUS_OPTIONS, SUBMIT_OPTIONS, VERIFY_OPTIONS } from './batch-options.ts';
import { checkEnvironment } from './check-environment.ts';

const check = (...names: string[]): void =>
  checkEnvironment(Object.fromEntries(names.map((name) => [name, 'x'])), [
    SUBMIT_OPTIONS,
    VERIFY_OPTIONS,
    STATUS_OPTIONS,
  ]);

describe('checkEnvironment', () => {
  it.each([
    ['MILLRACE_BACH_SIZE', 'MILLRACE_BATCH_SIZE'],
    ['MILLRACE_BATCHSIZE', 'MILLRACE_BATCH_SIZE'],
    ['MILLRACE_batch_size', 'MILLRACE_BATCH_SIZE'],
    ['MILLRACE_OUTPUTDIR', 'MILLRACE_OUTPUT_DIR'],
    ['MILLRACE_KEP', 'MILLRACE_KEEP'],
  ])('refuses %s and proposes %s', (name, meant) => {
    expect(() => check(name)).toThrow(
      expect.objectContaining({
        reason: 'USAGE',
        message: expect.stringMatching(new RegExp(`'${name}' is not known.*'${meant}'`)),
      }),
    );
  });

  it('takes variables of every command', () => {
    expect(() => check('MILLRACE_RECOMPUTE', 'MILLRACE_BATCH_SIZE', 'PATH')).not.toThrow();
  });

  it('leaves alone what Kubernetes sets for a service called millrace', () => {
    const port = ['', '_PROTO', '_PORT', '_ADDR'].map((end) => `MILLRACE_PORT_8000_TCP${end}`);
    const service = ['MILLRACE_SERVICE_HOST', 'MILLRACE_SERVICE_PORT', 'MILLRACE_SERVICE_PORT_HTTP'];
    expect(() => check('MILLRACE_PORT', ...service, ...port)).not.toThrow();
  });
});
