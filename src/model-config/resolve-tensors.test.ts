import { describe, expect, it } from 'vitest';
import { outcomeOf, resolveText } from './testing/load-config.ts';

const X = 'input { name: "x" data_type: TYPE_FP32 dims: 4 }';

function input(fields: string): string {
  return `input { name: "x" data_type: TYPE_FP32 ${fields} }`;
}

describe('inputs and outputs', () => {
  it.each([
    [`${X} input { dims: 1 }`, 'input[1] has no name'],
    [`${X} ${X}`, "input[1] has the name 'x', which input[0] has already"],
    ['input { name: "x" dims: 4 }', "input[0] ('x') has no valid data_type, got none"],
    ['input { name: "x" data_type: TYPE_INVALID dims: 4 }', 'has no valid data_type, got none'],
    ['output { name: "y" data_type: 99 dims: 4 }', "output[0] ('y') has no valid data_type, got 99"],
    [input(''), 'has no dims'],
    [
      input('dims: [4, 0]'),
      "input[0] ('x') has dims [4,0]: each must be at least 1 and below 2^53, or -1 for any size",
    ],
    [input('dims: -2'), 'has dims [-2]'],
    [input('dims: 9223372036854775807'), 'below 2^53'],
    [input('dims: 4 reshape { shape: [4, 0] }'), 'has reshape [4,0]'],
    [
      input('format: FORMAT_NCHW dims: [3, 4]'),
      "input[0] ('x') has the format FORMAT_NCHW, which needs 3 dims, got [3,4]",
    ],
  ])('refuses %s', (text, message) => {
    expect(outcomeOf(() => resolveText(text))).toContain("CONFIG_INVALID config of model 'demo': ");
    expect(outcomeOf(() => resolveText(text))).toContain(message);
  });

  it('an input and an output may share a name', () => {
    expect(resolveText(`${X} output { name: "x" data_type: TYPE_FP32 dims: 4 }`).outputs).toHaveLength(1);
  });

  it('looks through many tensors in a time that grows as they do', () => {
    const many = Array.from(
      { length: 20_000 },
      (_, index) => `input { name: "x${index}" data_type: 1 dims: 1 }`,
    );
    expect(resolveText(many.join('\n')).inputs).toHaveLength(20_000);
  });
});

describe('C06: a reshape keeps every element', () => {
  it.each([
    [
      'dims: [2, -1] reshape { shape: [-1, 2] }',
      'has dims [2,-1] and reshape [-1,2]: they hold 2 and 1 elements before, between or behind their -1',
    ],
    ['dims: [4] reshape { shape: [5] }', 'has dims [4] and reshape [5]: they hold 4 and 5 elements'],
    ['dims: [2] reshape { }', 'has dims [2] and reshape []: they hold 2 and 1 elements'],
    ['dims: [-1] reshape { }', 'they must have the same number of -1'],
    ['dims: [-1] reshape { shape: [4] }', 'they must have the same number of -1'],
    ['dims: [-1, -1] reshape { shape: [-1] }', 'they must have the same number of -1'],
    [
      'dims: [4294967296, 4294967296] reshape { shape: [4294967296, 4294967297] }',
      'they hold 18446744073709551616 and 18446744078004518912 elements',
    ],
  ])('refuses %s', (fields, message) => {
    expect(outcomeOf(() => resolveText(`max_batch_size: 4 ${input(fields)}`))).toContain(message);
  });

  it.each([
    ['dims: [1] reshape { }', []],
    ['dims: [1, 1] reshape { shape: [ ] }', []],
    ['dims: [4, 2] reshape { shape: [8] }', [8]],
    ['dims: [2, 4, -1, 6] reshape { shape: [8, -1, 1, 6] }', [8, -1, 1, 6]],
    ['dims: [-1] reshape { shape: [1, -1, 1] }', [1, -1, 1]],
  ])('accepts %s', (fields, reshape) => {
    expect(resolveText(`max_batch_size: 4 ${input(fields)}`).inputs[0]?.reshape).toEqual(reshape);
  });
});
