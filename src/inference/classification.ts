import TinyQueue from 'tinyqueue';
import { invariant } from '../base/invariant.ts';
import { assembleTensor } from '../tensor/create-tensor.ts';
import { type Datatype, isFloatDatatype } from '../tensor/datatype.ts';
import { elementCount } from '../tensor/shape.ts';
import type { Tensor } from '../tensor/tensor.ts';

/** Triton ranks no others: BOOL and BYTES have no order, and it does not read 16-bit floats. */
const RANKED_DATATYPES = [
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
] as const satisfies readonly Datatype[];

type RankedTensor = Extract<Tensor, { datatype: (typeof RANKED_DATATYPES)[number] }>;

/** True for the datatypes that `classify` takes. */
export function canClassify(datatype: Datatype): boolean {
  return RANKED_DATATYPES.some((ranked) => ranked === datatype);
}

/**
 * The `count` highest values of each row as text, `value:index[:label]`, highest first; equal values by rising index,
 * NaN after every number. Floats carry six decimals, as Triton prints them.
 * @param tensor of a datatype that `canClassify`.
 * @param labels by index; a class beyond their end, or with an empty label, has none.
 * @param batched true: the first dimension is the batch; false: the whole tensor is one row.
 * @returns BYTES, [rows, k] or [k], where k is `count` or the number of values in a row, whichever is less.
 * @see https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_classification.md
 */
export function classify(tensor: Tensor, count: number, labels: readonly string[], batched: boolean): Tensor {
  invariant(isRanked(tensor), 'classification of a datatype without an order');
  const rows = batched ? (tensor.shape[0] ?? 1) : 1;
  const perRow = elementCount(batched ? tensor.shape.slice(1) : tensor.shape);
  const kept = Math.min(count, perRow);
  const texts: Uint8Array[] = [];
  for (let row = 0; row < rows; row += 1) {
    const values = tensor.data.subarray(row * perRow, (row + 1) * perRow);
    for (const { value, index } of selectHighest(values, kept)) {
      const score = isFloatDatatype(tensor.datatype) ? formatScore(Number(value)) : String(value);
      const label = labels[index];
      texts.push(Buffer.from(label ? `${score}:${index}:${label}` : `${score}:${index}`));
    }
  }
  return assembleTensor('BYTES', batched ? [rows, kept] : [kept], texts);
}

function isRanked(tensor: Tensor): tensor is RankedTensor {
  return canClassify(tensor.datatype);
}

interface Score {
  readonly value: number | bigint;
  readonly index: number;
}

/** The `kept` highest, highest first. */
function selectHighest(values: RankedTensor['data'], kept: number): readonly Score[] {
  // The lowest of those kept so far is on top, to be beaten: a few of many need no sorting of all.
  const queue = new TinyQueue<Score>([], (a, b) => compareScores(b, a));
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    const lowest = queue.peek();
    if (queue.length < kept) {
      queue.push({ value, index });
    } else if (lowest !== undefined && ranksAbove(value, lowest.value)) {
      queue.pop();
      queue.push({ value, index });
    }
  }
  return queue.data.toSorted(compareScores);
}

function compareScores(a: Score, b: Score): number {
  if (ranksAbove(a.value, b.value)) {
    return -1;
  }
  return ranksAbove(b.value, a.value) ? 1 : a.index - b.index;
}

function ranksAbove(value: number | bigint, other: number | bigint): boolean {
  return value > other || (Number.isNaN(other) && !Number.isNaN(value));
}

/** C's `%f`. */
function formatScore(value: number): string {
  if (Number.isNaN(value)) {
    return 'nan';
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? 'inf' : '-inf';
  }
  if (Object.is(value, -0)) {
    return '-0.000000';
  }
  if (Math.abs(value) >= 1e21) {
    return `${BigInt(value)}.000000`;
  }
  const text = value.toFixed(6);
  // `toFixed` rounds a tie up in magnitude, C to the even digit. Only odd multiples of 2^-7 are ties at six decimals.
  const lastDigit = Number(text.at(-1));
  return Math.abs(value * 128) % 2 === 1 && lastDigit % 2 === 1
    ? `${text.slice(0, -1)}${lastDigit - 1}`
    : text;
}
