import type { ValidatedRequest } from '../inference/request.ts';
import type { InferenceTimings } from '../inference/timings.ts';
import { concatTensors } from '../tensor/concat.ts';
import { sliceRows } from '../tensor/split.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { ScheduledResult } from './scheduler.ts';

/**
 * Runs a request that is larger than a batch may be in pieces of `maxRows` rows, and joins their outputs in order. It
 * fails as a whole with the first piece that fails; pieces that still wait then are dropped.
 */
export async function runInPieces(
  request: ValidatedRequest,
  maxRows: number,
  signal: AbortSignal | undefined,
  run: (piece: ValidatedRequest, signal: AbortSignal) => Promise<ScheduledResult>,
): Promise<ScheduledResult> {
  const pieces = new AbortController();
  const abort = (): void => pieces.abort();
  signal?.addEventListener('abort', abort);
  try {
    const results = cutRequest(request, maxRows).map((piece) => run(piece, pieces.signal));
    return joinResults(await Promise.all(results), request.outputNames.length);
  } finally {
    signal?.removeEventListener('abort', abort);
    abort();
  }
}

function cutRequest(request: ValidatedRequest, maxRows: number): readonly ValidatedRequest[] {
  const pieces: ValidatedRequest[] = [];
  for (let start = 0; start < request.rows; start += maxRows) {
    const end = Math.min(request.rows, start + maxRows);
    const inputs = request.inputs.map((input) => input && sliceRows(input, start, end));
    pieces.push({ ...request, inputs, rows: end - start });
  }
  return pieces;
}

function joinResults(results: readonly ScheduledResult[], outputCount: number): ScheduledResult {
  const outputs: Tensor[] = [];
  for (let index = 0; index < outputCount; index += 1) {
    outputs.push(concatTensors(results.flatMap((result) => result.outputs[index] ?? [])));
  }
  return { outputs, timings: results.map(({ timings }) => timings).reduce(addTimings) };
}

/** The pieces wait side by side and compute one after the other. */
function addTimings(a: InferenceTimings, b: InferenceTimings): InferenceTimings {
  return {
    queueMicroseconds: Math.max(a.queueMicroseconds, b.queueMicroseconds),
    computeInputMicroseconds: a.computeInputMicroseconds + b.computeInputMicroseconds,
    computeInferMicroseconds: a.computeInferMicroseconds + b.computeInferMicroseconds,
    computeOutputMicroseconds: a.computeOutputMicroseconds + b.computeOutputMicroseconds,
    batchRows: Math.max(a.batchRows, b.batchRows),
  };
}
