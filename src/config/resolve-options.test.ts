import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { SUBMIT_OPTIONS, toJobOptions } from './batch-options.ts';
import {
  fieldName,
  flagName,
  flagOption,
  integerOption,
  listOption,
  requiredText,
  textOption,
  variableName,
} from './option.ts';
import { resolveOptions } from './resolve-options.ts';

const TABLE = {
  inputFile: requiredText({ placeholder: 'path', description: 'what to read' }),
  idColumn: textOption({ description: 'id' }),
  batchSize: integerOption(1, { description: 'rows' }),
  keep: listOption({ description: 'columns' }),
  quiet: flagOption({ description: 'nothing' }),
} as const;

const resolve = (
  flags: Record<string, unknown>,
  environment: Record<string, string> = {},
  fields?: Record<string, unknown>,
) => resolveOptions(TABLE, { flags, environment, file: fields && { path: 'job.json', fields } });

it('an option has one name in three spellings', () => {
  expect([flagName('inputFile'), variableName('inputFile'), fieldName('inputFile')]).toEqual([
    '--input-file',
    'MILLRACE_INPUT_FILE',
    'input_file',
  ]);
});

describe('precedence', () => {
  it('is flag, environment, file, default', () => {
    const file = { input_file: 'file', id_column: 'file', batch_size: 3 };
    const environment = { MILLRACE_INPUT_FILE: 'environment', MILLRACE_ID_COLUMN: 'environment' };
    expect(resolve({ inputFile: 'flag' }, environment, file)).toEqual({
      inputFile: 'flag',
      idColumn: 'environment',
      batchSize: 3,
      keep: [],
      quiet: false,
    });
  });

  it('passes over an environment variable that is empty', () => {
    expect(resolve({}, { MILLRACE_INPUT_FILE: '' }, { input_file: 'file' }).inputFile).toBe('file');
  });
});

it('reads texts by the kind of the option', () => {
  const environment = {
    MILLRACE_BATCH_SIZE: '16',
    MILLRACE_KEEP: 'a, b',
    MILLRACE_QUIET: 'true',
    MILLRACE_INPUT_FILE: '7',
  };
  expect(resolve({}, environment)).toMatchObject({
    batchSize: 16,
    keep: ['a', 'b'],
    quiet: true,
    inputFile: '7',
  });
});

describe('an error names the option as it was written', () => {
  it.each([
    [
      { inputFile: 'x', batchSize: '1e3' },
      {},
      undefined,
      '--batch-size must be an integer of at least 1, got "1e3"',
    ],
    [
      { inputFile: 'x', batchSize: '0' },
      {},
      undefined,
      '--batch-size must be an integer of at least 1, got "0"',
    ],
    [{ inputFile: 'x', batchSize: '0x10' }, {}, undefined, 'got "0x10"'],
    [{ inputFile: 'x', batchSize: ' 3' }, {}, undefined, 'got " 3"'],
    [{ inputFile: 'x', batchSize: '1.5' }, {}, undefined, 'got "1.5"'],
    [{ inputFile: 'x', batchSize: '99999999999999999999' }, {}, undefined, '--batch-size must be an integer'],
    [
      { inputFile: 'x' },
      { MILLRACE_BATCH_SIZE: '-1' },
      undefined,
      'MILLRACE_BATCH_SIZE must be an integer of at least 1',
    ],
    [
      { inputFile: 'x' },
      { MILLRACE_QUIET: 'yes' },
      undefined,
      'MILLRACE_QUIET must be true or false, got "yes"',
    ],
    [{ inputFile: 'x', keep: 'a,,b' }, {}, undefined, '--keep must be names, none of them empty, got "a,,b"'],
    [
      { inputFile: 'x' },
      {},
      { batch_size: '16' },
      `'batch_size' in 'job.json' must be an integer of at least 1, got "16"`,
    ],
    [{ inputFile: 'x' }, {}, { quiet: 1 }, `'quiet' in 'job.json' must be true or false, got 1`],
    [
      { inputFile: 'x' },
      {},
      { id_column: null },
      `'id_column' in 'job.json' must be a text that is not empty, got null`,
    ],
    [
      { inputFile: 'x' },
      {},
      { keep: 'a' },
      `'keep' in 'job.json' must be an array of texts, none of them empty, got "a"`,
    ],
    [
      { inputFile: 'x' },
      {},
      { keep: ['a', 3] },
      `must be an array of texts, none of them empty, got ["a",3]`,
    ],
    [
      { inputFile: 'x' },
      {},
      { bach_size: 16 },
      "'job.json' has a field 'bach_size' that is not known: did you mean 'batch_size'?",
    ],
    [
      { inputFile: 'x' },
      {},
      { zzzzzzzz: 1 },
      "it can have 'input_file', 'id_column', 'batch_size', 'keep', 'quiet'",
    ],
    [{}, {}, undefined, '--input-file <path> is missing: what to read. It can also be MILLRACE_INPUT_FILE'],
    [{ inputFile: '' }, {}, undefined, '--input-file must be a text that is not empty, got ""'],
  ])('%j %j %j', (flags, environment, fields, text) => {
    expect(() => resolve(flags, environment, fields)).toThrow(
      expect.objectContaining({ reason: 'USAGE', message: expect.stringContaining(text) }),
    );
  });
});

describe('the schema of job files', () => {
  const schema: object = JSON.parse(
    readFileSync(new URL('../../docs/schema/job.schema.json', import.meta.url), 'utf8'),
  );
  const validate = new Ajv2020().compile(schema);

  it.each([
    [{}, true],
    [
      {
        input_file: 'a.csv',
        model_name: 'm',
        map: ['x=a..b'],
        batch_size: 16,
        output_format: 'npy',
        quiet: true,
      },
      true,
    ],
    [{ batch_size: 0 }, false],
    [{ batch_size: 1.5 }, false],
    [{ output_format: 'xml' }, false],
    [{ map: 'x=a' }, false],
    [{ bach_size: 16 }, false],
  ])('and the program agree on %j', (fields, isValid) => {
    expect(validate(fields)).toBe(isValid);
    const run = () =>
      resolveOptions(SUBMIT_OPTIONS, {
        flags: { inputFile: 'x', modelName: 'x', modelRepository: 'x', outputDir: 'x' },
        environment: {},
        file: { path: 'job.json', fields },
      });
    if (isValid) {
      expect(toJobOptions(run())).toMatchObject({ maxRetries: 3 });
    } else {
      expect(run).toThrow();
    }
  });
});
