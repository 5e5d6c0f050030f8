import { MillraceError } from '../base/errors.ts';
import { assembleTensor } from '../tensor/create-tensor.ts';
import { elementCount } from '../tensor/shape.ts';
import type { Tensor } from '../tensor/tensor.ts';

/** Datatypes that Triton can rank. */
const RANKED = new Set([
  'UINT8',
  'UINT16',
  'UINT32',
  'UINT64',
  'INT8',
  'INT16',
  'INT32',
  'INT64',
  'FP32',
  'FP64',
]);

/**
 * The `count` highest values of each row as text, `value:index[:label]`, highest first; equal values by rising index,
 * NaN after every number. Floats carry six decimals, as Triton prints them.
 * @param labels by index; a class beyond their end, or with an empty label, has none.
 * @param batched true: the first dimension is the batch; false: the whole tensor is one row.
 * @returns BYTES, [rows, k] or [k], where k is `count` or the number of values in a row, whichever is less.
 * @throws {MillraceError} PARAMETER_INVALID for a datatype without an order: BOOL, BYTES, FP16, BF16.
 * @see https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_classification.md
 */
export function classify(tensor: Tensor, count: number, labels: readonly string[], batched: boolean): Tensor {
  if (!RANKED.has(tensor.datatype) || tensor.datatype === 'BYTES') {
    throw new MillraceError(
      'PARAMETER_INVALID',
      `classification of a ${tensor.datatype} output is not possible: ask for the tensor itself`,
    );
  }
  const rows = batched ? (tensor.shape[0] ?? 1) : 1;
  const perRow = elementCount(batched ? tensor.shape.slice(1) : tensor.shape);
  const kept = Math.min(count, perRow);
  const texts: Uint8Array[] = [];
  for (let row = 0; row < rows; row += 1) {
    const scores: Score[] = [];
    for (const value of tensor.data.subarray(row * perRow, (row + 1) * perRow)) {
      scores.push({ value, index: scores.length });
    }
    scores.sort(compareScores);
    for (const { value, index } of scores.slice(0, kept)) {
      const label = labels[index];
      const score = formatScore(value, tensor.datatype);
      texts.push(Buffer.from(label ? `${score}:${index}:${label}` : `${score}:${index}`));
    }
  }
  return assembleTensor('BYTES', batched ? [rows, kept] : [kept], texts);
}

interface Score {
  readonly value: number | bigint;
  readonly index: number;
}

function compareScores(a: Score, b: Score): number {
  const aIsNaN = Number.isNaN(a.value);
  const bIsNaN = Number.isNaN(b.value);
  if (aIsNaN !== bIsNaN) {
    return aIsNaN ? 1 : -1;
  }
  if (a.value > b.value) {
    return -1;
  }
  return a.value < b.value ? 1 : a.index - b.index;
}

function formatScore(value: number | bigint, datatype: Tensor['datatype']): string {
  if (typeof value === 'bigint' || (datatype !== 'FP32' && datatype !== 'FP64')) {
    return String(value);
  }
  if (Number.isNaN(value)) {
    return 'nan';
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? 'inf' : '-inf';
  }
  return Math.abs(value) < 1e21 ? value.toFixed(6) : `${BigInt(value)}.000000`;
}
