import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { inspectOnnxFile } from './inspect-onnx-file.ts';
import { encodeModel, writeTestFile } from './testing/encode-model.ts';

const FIXTURES = fileURLToPath(new URL('../../test/fixtures/models/', import.meta.url));

it.each([
  ['dropout_train', [['Dropout of output OUTPUT0', 'Dropout', 'training']]],
  ['dropout_constant_node', [['drop', 'Dropout', 'training']]],
  ['batchnorm_training', [['normalise', 'BatchNormalization', 'training']]],
  ['random_normal_like', [['RandomNormalLike_node', 'RandomNormalLike', 'random']]],
  ['random_normal_like_seeded', [['RandomNormalLike_node', 'RandomNormalLike', 'random']]],
  ['bernoulli', [['Bernoulli_node', 'Bernoulli', 'random']]],
  [
    'random_in_if',
    [
      ['else_noise', 'RandomUniformLike', 'random'],
      ['then_noise', 'RandomUniformLike', 'random'],
    ],
  ],
  ['random_in_function', [['AddNoise/noise', 'RandomNormalLike', 'random']]],
  ['add_sub', []],
  ['digits-zipmap', []],
])('O07: %s', (model, expected) => {
  const { unstableNodes } = inspectOnnxFile(`${FIXTURES}${model}.onnx`);
  expect(unstableNodes.map(({ label, operator, kind }) => [label, operator, kind])).toEqual(expected);
});

const TRUE = { name: 'flag', data_type: 9, int32_data: [1] };

it.each([
  ['a true constant around the graph that it is in', [TRUE], { input: ['x', '', 'flag'] }, true],
  ['a false constant', [{ ...TRUE, int32_data: [0] }], { input: ['x', '', 'flag'] }, false],
  [
    'a true constant of raw bytes',
    [{ name: 'flag', data_type: 9, raw_data: Buffer.of(1) }],
    { input: ['x', '', 'flag'] },
    true,
  ],
  ['a mode that is computed', [TRUE], { input: ['x', '', 'other'] }, false],
  ['no mode', [TRUE], { input: ['x'] }, false],
  ['the same name in another domain', [TRUE], { input: ['x', '', 'flag'], domain: 'com.example' }, false],
])('O07: Dropout in a loop with %s', (_what, initializer, dropout, found) => {
  const body = { node: [{ op_type: 'Dropout', name: 'drop', ...dropout }] };
  const path = writeTestFile(
    encodeModel({
      ir_version: 8,
      opset_import: [{ version: 17 }],
      graph: { initializer, node: [{ op_type: 'Loop', attribute: [{ name: 'body', g: body }] }] },
    }),
  );
  expect(inspectOnnxFile(path).unstableNodes.map(({ label }) => label)).toEqual(found ? ['drop'] : []);
});
