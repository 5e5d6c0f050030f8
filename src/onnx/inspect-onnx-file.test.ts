import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../base/errors.ts';
import { inspectOnnxFile } from './inspect-onnx-file.ts';
import { createTestFolder, encodeModel, writeTestFile } from './testing/encode-model.ts';

const FIXTURES = fileURLToPath(new URL('../../test/fixtures/models/', import.meta.url));
const TENSOR = {
  tensor_type: { elem_type: 1, shape: { dim: [{ dim_param: 'batch' }, { dim_value: 4 }, {}] } },
};
const OPSETS = [{ domain: '', version: 17 }];

function refusal(content: Uint8Array | string): string {
  const path = writeTestFile(content);
  try {
    inspectOnnxFile(path);
  } catch (error) {
    expect(error).toBeInstanceOf(MillraceError);
    expect(error).toMatchObject({ reason: 'MODEL_FILE_INVALID' });
    return error instanceof Error ? error.message.replace(path, 'FILE') : '';
  }
  return 'accepted';
}

describe('what a file declares', () => {
  it('versions, inputs without constants, outputs with sizes, -1 for symbolic and absent ones', () => {
    const path = writeTestFile(
      encodeModel({
        ir_version: 9,
        opset_import: [...OPSETS, { domain: 'ai.onnx.ml', version: 3 }],
        graph: {
          input: [
            { name: 'x', type: TENSOR },
            { name: 'scale', type: TENSOR },
            { name: 'sparse', type: TENSOR },
          ],
          output: [{ name: 'y', type: { tensor_type: { elem_type: 10 } } }],
          initializer: [{ name: 'scale', dims: [1], data_type: 1, float_data: [2] }],
          sparse_initializer: [{ values: { name: 'sparse', dims: [1], data_type: 1, float_data: [2] } }],
        },
      }),
    );
    expect(inspectOnnxFile(path)).toEqual({
      irVersion: 9,
      opsets: new Map([
        ['ai.onnx', 17],
        ['ai.onnx.ml', 3],
      ]),
      inputs: [
        {
          name: 'x',
          type: {
            kind: 'tensor',
            elementType: { name: 'FLOAT', bits: 32, datatype: 'FP32' },
            dims: [-1, 4, -1],
          },
        },
      ],
      outputs: [
        {
          name: 'y',
          type: {
            kind: 'tensor',
            elementType: { name: 'FLOAT16', bits: 16, datatype: 'FP16' },
            dims: undefined,
          },
        },
      ],
      unstableNodes: [],
      files: [path],
    });
  });

  it.each([
    ['sequence', { sequence_type: {} }],
    ['map', { map_type: {} }],
    ['optional', { optional_type: {} }],
    ['sparse tensor', { sparse_tensor_type: {} }],
    ['opaque value', { opaque_type: {} }],
    ['value of no type', {}],
  ])('O01: an output that is a %s', (kind, type) => {
    const path = writeTestFile(
      encodeModel({ ir_version: 8, opset_import: OPSETS, graph: { output: [{ name: 'y', type }] } }),
    );
    expect(inspectOnnxFile(path).outputs).toEqual([{ name: 'y', type: { kind } }]);
  });

  it('a graph in two pieces adds up, as protobuf has it', () => {
    const half = (name: string): Buffer => encodeModel({ graph: { input: [{ name, type: TENSOR }] } });
    const path = writeTestFile(Buffer.concat([half('a'), half('b')]));
    expect(inspectOnnxFile(path).inputs.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('weights are skipped: a file too large to read at once is inspected', () => {
    const weightBytes = 2.5 * 2 ** 30;
    const head = encodeModel({ ir_version: 8, opset_import: OPSETS });
    const graphHead = encodeModel({ graph: { output: [{ name: 'y', type: TENSOR }] } }).subarray(2);
    const tensor = Buffer.concat([Buffer.from([0x4a]), varint(weightBytes)]);
    const initializer = Buffer.concat([Buffer.from([0x2a]), varint(tensor.length + weightBytes), tensor]);
    const graphBytes = graphHead.length + initializer.length + weightBytes;
    const start = Buffer.concat([head, Buffer.from([0x3a]), varint(graphBytes), graphHead, initializer]);
    const path = join(createTestFolder(), 'model.onnx');
    writeFileSync(path, start);
    truncateSync(path, start.length + weightBytes);
    expect(inspectOnnxFile(path).outputs).toHaveLength(1);
  });
});

describe('O03: what is no model is refused, saying what was found', () => {
  it.each([
    ['empty', '', 'is empty'],
    ['a PNG image', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'looks like a PNG image'],
    ['a Git LFS pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:1', 'looks like a Git LFS'],
    ['a ZIP archive', Buffer.from('504b030414000000', 'hex'), 'looks like a ZIP archive'],
    ['an HTML page', '<!DOCTYPE html><html></html>', 'looks like an HTML page'],
    ['text', 'Not a model at all', 'is not a valid ONNX model'],
    ['a graph without opset', encodeModel({ ir_version: 8, graph: { name: 'g' } }), 'which opset'],
    ['an opset without a graph', encodeModel({ ir_version: 8, opset_import: OPSETS }), 'holds no graph'],
  ])('%s', (_what, content, problem) => {
    expect(refusal(content)).toContain(problem);
  });

  it('a folder and a missing file', () => {
    const folder = createTestFolder();
    expect(() => inspectOnnxFile(folder)).toThrow('is not a file');
    expect(() => inspectOnnxFile(join(folder, 'model.onnx'))).toThrow('no such file');
  });

  it.each(['add_sub', 'two_dynamic', 'digits-zipmap'])('%s cut short anywhere', (model) => {
    const whole = readFileSync(`${FIXTURES}${model}.onnx`);
    const step = Math.ceil(whole.length / 300);
    const path = writeTestFile(whole);
    for (let length = whole.length - 1; length >= 0; length -= step) {
      truncateSync(path, length);
      expect(() => inspectOnnxFile(path), `${length} bytes`).toThrow(MillraceError);
    }
  });
});

describe('hostile bytes', () => {
  it.each([
    ['a number of eleven bytes', '08ffffffffffffffffffff01', 'more than 10 bytes'],
    ['a number that ends with the file', '08ff', 'ends inside a number'],
    ['a length beyond the end', '3a05', 'announces 5 bytes where 0 are left'],
    ['a length of 2^63', '3a80808080808080808001', 'announces'],
    ['a length of -1', '3affffffffffffffffff01', 'announces'],
    ['field 0', '0000', 'has no field 0'],
    ['a group', '0b0c', 'wire type 3'],
    ['wire type 7', '0f', 'wire type 7'],
    ['a fixed number cut short', '0900000000', 'announces 8 bytes where 4 are left'],
  ])('%s', (_what, hex, problem) => {
    expect(refusal(Buffer.from(hex, 'hex'))).toContain(problem);
  });

  it('graphs nested without end', () => {
    let graph: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < 5000; depth += 1) {
      graph = wrap(0x0a, wrap(0x2a, wrap(0x32, graph)));
    }
    expect(refusal(wrap(0x3a, graph))).toContain('nested deeper than 100');
  });

  it('a name of a megabyte', () => {
    expect(refusal(encodeModel({ graph: { input: [{ name: 'x'.repeat(1 << 20) }] } }))).toContain(
      'a name of',
    );
  });

  it('any bytes, and any change to a model, are accepted or refused, never more than that', () => {
    const model = readFileSync(`${FIXTURES}random_in_if.onnx`);
    const path = writeTestFile('');
    const inspect = (bytes: Uint8Array): void => {
      writeFileSync(path, bytes);
      try {
        inspectOnnxFile(path);
      } catch (error) {
        expect(error).toBeInstanceOf(MillraceError);
      }
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), inspect), { numRuns: 500 });
    const change = fc.record({ at: fc.nat(model.length - 1), to: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = Buffer.from(model);
        for (const { at, to } of changes) {
          bytes[at] = to;
        }
        inspect(bytes);
      }),
      { numRuns: 1000 },
    );
  });
});

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

function wrap(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), varint(content.length), content]);
}
