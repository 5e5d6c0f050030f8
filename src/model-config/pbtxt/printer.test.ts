import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FieldDescriptor,
  type MessageDescriptor,
  MODEL_CONFIG,
  type ValueDescriptor,
} from '../descriptor.ts';
import { type MessageValue, nameEnumValue, type SingleValue, storeValue } from './message-value.ts';
import { parseTextFormat } from './parser.ts';
import { printTextFormat } from './printer.ts';

function arbitraryValue(value: ValueDescriptor): fc.Arbitrary<SingleValue> {
  switch (value.kind) {
    case 'message':
      return arbitraryMessage(value.message);
    case 'enum':
      return fc
        .oneof(fc.constantFrom(...value.numbers.values()), fc.integer())
        .map((number) => nameEnumValue(value.numbers, number));
    case 'int32':
      return fc.integer();
    case 'uint32':
      return fc.nat(2 ** 32 - 1);
    case 'int64':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case 'uint64':
      return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    case 'float':
      return fc.float();
    case 'double':
      return fc.double();
    case 'bool':
      return fc.boolean();
    case 'string':
      return fc.string({ unit: 'binary' });
  }
}

function arbitraryField(
  field: FieldDescriptor,
): fc.Arbitrary<{ field: FieldDescriptor; values: SingleValue[] }> {
  const element = field.cardinality === 'map' ? arbitraryMessage(field.entry) : arbitraryValue(field.value);
  return fc
    .array(element, { maxLength: field.cardinality === 'single' ? 1 : 3 })
    .map((values) => ({ field, values }));
}

/** Built as the parser builds messages; of a oneof at most one field. */
function arbitraryMessage(descriptor: MessageDescriptor): fc.Arbitrary<MessageValue> {
  const all = [...descriptor.fields.values()];
  return fc.subarray(all, { maxLength: Math.min(6, all.length) }).chain((chosen) => {
    const fields = chosen.filter(
      ({ oneof }, index) =>
        oneof === undefined || chosen.findIndex((other) => other.oneof === oneof) === index,
    );
    return fc.tuple(...fields.map(arbitraryField)).map((given) => {
      const message: MessageValue = {};
      for (const { field, values } of given) {
        for (const value of values) {
          storeValue(message, field, value);
        }
      }
      return message;
    });
  });
}

describe('printTextFormat', () => {
  it('C02: prints every message so that it reads back the same', () => {
    fc.assert(
      fc.property(arbitraryMessage(MODEL_CONFIG), (message) => {
        const text = printTextFormat(message, MODEL_CONFIG);
        expect(parseTextFormat(text, MODEL_CONFIG, 'config.pbtxt')).toEqual(message);
      }),
      { numRuns: 500 },
    );
  });

  it('prints what a person would write, in the order of the descriptor', () => {
    const text =
      'max_batch_size: 8 name: "digits" input [ { dims: 64, dims: [-1] data_type: 11 name: \'pix"els\' reshape: < > } ] ' +
      'parameters { key: "a" value { string_value: "1\\n" } } sequence_batching { direct { minimum_slot_utilization: 0.1 } } ' +
      'batch_input { target_name: ["a", "b"] }';
    expect(
      printTextFormat(parseTextFormat(text, MODEL_CONFIG, 'config.pbtxt'), MODEL_CONFIG),
    ).toBe(`name: "digits"
max_batch_size: 8
input {
  name: "pix\\"els"
  data_type: TYPE_FP32
  dims: [64, -1]
  reshape {}
}
batch_input {
  target_name: "a"
  target_name: "b"
}
sequence_batching {
  direct {
    minimum_slot_utilization: 0.1
  }
}
parameters {
  key: "a"
  value {
    string_value: "1\\n"
  }
}
`);
  });
});
