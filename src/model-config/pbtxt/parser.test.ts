import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../base/errors.ts';
import { MODEL_CONFIG } from '../descriptor.ts';
import { parseTextFormat } from './parser.ts';

function parseError(text: string): MillraceError {
  try {
    parseTextFormat(text, MODEL_CONFIG, 'models/digits/config.pbtxt');
  } catch (error) {
    if (error instanceof MillraceError) {
      return error;
    }
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

describe('C01: an error says file, line:column, field path, token and what was probably meant', () => {
  it.each([
    [
      `max_batch_size: \${MAX_BATCH}`,
      `models/digits/config.pbtxt:1:17 in 'max_batch_size': expected an integer, got '\${MAX_BATCH}' ` +
        '(a template placeholder was left in: fill in the template first)',
    ],
    [
      'max_batch_size: {{ max_batch | int }}',
      "got '{{ max_batch | int }}' (a template placeholder was left in",
    ],
    [
      'instance_group [ { count: $COUNT } ]',
      ":1:27 in 'instance_group[0].count': expected an integer, got '$COUNT'",
    ],
    ['dynamic_batching { @BATCHING@ }', "got '@BATCHING@' (a template placeholder was left in"],
    [
      'input {\n  name: "x"\n  data_type: TYPE_FLOAT32\n}',
      ":3:14 in 'input[0].data_type': expected the name of an enum value, got 'TYPE_FLOAT32'. Did you mean 'TYPE_FP32'?",
    ],
    ['input { data_type: FLOAT }', "got 'FLOAT'. Did you mean 'TYPE_FP32'?"],
    ['input { data_type: INT8 }', "got 'INT8'. Did you mean 'TYPE_INT8'?"],
    ['input { data_type: TYPE_FP23 }', "Did you mean 'TYPE_FP16', 'TYPE_FP32', 'TYPE_FP64'?"],
    ['instance_group { kind: GPU }', "got 'GPU'. Did you mean 'KIND_GPU'?"],
    [
      'input { } input [ { dim: [3] } ]',
      ":1:21 in 'input[1]': expected a field of ModelInput, got 'dim'. Did you mean 'dims'?",
    ],
    ['input { datatype: TYPE_FP32 }', "got 'datatype'. Did you mean 'data_type'?"],
    ['inputs { }', "expected a field of ModelConfig, got 'inputs'. Did you mean 'input'?"],
    ['maxBatchSize: 4', "got 'maxBatchSize'. Did you mean 'max_batch_size'?"],
    [
      'dynamic_batching { prefered_batch_size: [4] }',
      "in 'dynamic_batching': expected a field of ModelDynamicBatching, got 'prefered_batch_size'. Did you mean 'preferred_batch_size'?",
    ],
    ['version_policy { none { } }', "It can be 'latest', 'all', 'specific'"],
    [
      'max_batch_size: 4\nmax_batch_size: 8',
      ":2:1 in 'max_batch_size': expected no second 'max_batch_size' (the first is at 1:1), got 'max_batch_size'",
    ],
    [
      'dynamic_batching { }\nsequence_batching { }',
      ":2:1 in 'sequence_batching': expected no 'sequence_batching' beside the 'dynamic_batching' at 1:1",
    ],
    [
      'input [\n  {\n    name: "x"\n',
      ":4:1 in 'input[0]': expected '}' for the '{' opened at 2:3, got the end of the file",
    ],
    [
      'input [\n  { }\n',
      ":3:1 in 'input[0]': expected ',' or ']' in the list opened at 1:7, got the end of the file",
    ],
    ['input < name: "x" }', "expected '>' for the '<' opened at 1:7, got '}'"],
    ['output { } }', ":1:12: expected a field of ModelConfig, got '}'"],
    ['input { dims: [1, 2, ] }', ":1:22 in 'input[0].dims[2]': expected an integer, got ']'"],
    [
      'name: "open\nmax_batch_size: 4',
      `:1:7 in 'name': expected a string in quotes, got '"open' (the string has no closing " on its line)`,
    ],
    ['name: digits', "in 'name': expected a string in quotes, got 'digits'"],
    ['name "digits"', `expected ':' after 'name', got '"digits"'`],
    ['name: "a\\qb"', 'every backslash begins an escape'],
    ['name: "\\xff"', 'whose escapes give UTF-8 text'],
    ['max_batch_size: 08', "got '08' (a number that begins with 0 is octal"],
    [
      'max_batch_size: 4optimization { }',
      "got '4optimization' (a number must be followed by a space or a sign)",
    ],
    ['max_batch_size: 3000000000', "expected an integer from -2147483648 to 2147483647, got '3000000000'"],
    [
      'optimization { cuda { graphs: TRUE } }',
      "in 'optimization.cuda.graphs': expected true or false, got 'TRUE'. Did you mean 'true'?",
    ],
    [
      'parameters { key: "k" value: "v" }',
      `in 'parameters[0].value': expected '{' and the fields of ModelParameter, got '"v"'`,
    ],
    [
      'parameters { name: "k" }',
      "in 'parameters[0]': expected a field of an entry of parameters, got 'name'",
    ],
    ['\uFEFFname: "x"', 'protobuf takes no byte order mark: save the file as UTF-8 without it'],
    ['name: "x" \u0001', `got '"\\u0001"' (a control character)`],
    ['name: "\t\u00e9", \u{1F600}', ":1:13: expected a field of ModelConfig, got '\u{1F600}'"],
  ])('%s', (text, message) => {
    const error = parseError(text);
    expect(error.reason).toBe('CONFIG_SYNTAX');
    expect(error.message).toContain(message);
    expect(error.message).toMatch(/^models\/digits\/config\.pbtxt:\d+:\d+/);
  });

  it('C01: gives the same facts to programs', () => {
    expect(parseError('input {\n  data_type: TYPE_FLOAT32 }').details).toEqual({
      file: 'models/digits/config.pbtxt',
      line: 2,
      column: 14,
      field: 'input[0].data_type',
      token: 'TYPE_FLOAT32',
    });
  });
});

describe('a hostile text', () => {
  const LENGTH = 300_000;

  it.each([
    ['opening brackets', 'input {'.repeat(LENGTH)],
    ['opening lists', `input ${'['.repeat(LENGTH)}`],
    ['digits', `max_batch_size: ${'9'.repeat(LENGTH)}`],
    ['an identifier', 'a'.repeat(LENGTH)],
    ['an enum value', `input { data_type: ${'T'.repeat(LENGTH)} }`],
    ['an open string', `name: "${'a'.repeat(LENGTH)}`],
    ['backslashes', `name: "${'\\'.repeat(LENGTH)}`],
    ['minus signs', `max_batch_size: ${'-'.repeat(LENGTH)}1`],
    ['a placeholder that does not end', `max_batch_size: \${${'a'.repeat(LENGTH)}`],
    ['closing brackets', '}'.repeat(LENGTH)],
  ])('of many %s is refused with a short message', (_, text) => {
    expect(parseError(text).message.length).toBeLessThan(1000);
  });

  it.each([
    ['spaces', ' '.repeat(LENGTH)],
    ['line ends', '\n'.repeat(LENGTH)],
    ['comments', '#\n'.repeat(LENGTH)],
    ['one comment', `#${'#'.repeat(LENGTH)}`],
    ['list elements', `input { dims: [${'1,'.repeat(LENGTH)}1] }`],
    ['messages', 'input { name: "x" }'.repeat(LENGTH / 10)],
    ['adjacent strings', `name: ${'"a"'.repeat(LENGTH)}`],
    ['escapes', `name: "${'\\x41'.repeat(LENGTH)}"`],
    ['leading zeros', `max_batch_size: ${'0'.repeat(LENGTH)}7`],
    [
      'digits of a float',
      `sequence_batching { direct { minimum_slot_utilization: 0.${'1'.repeat(LENGTH)} } }`,
    ],
  ])('of many %s is read', (_, text) => {
    expect(() => parseTextFormat(text, MODEL_CONFIG, 'config.pbtxt')).not.toThrow();
  });
});
