import type { ValidatedRequest } from '../inference/request.ts';
import { concatTensors } from '../tensor/concat.ts';
import { sliceRows } from '../tensor/split.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { ScheduledResult } from './scheduler.ts';

/**
 * Runs a request that is larger than a batch may be in pieces of `maxRows` rows, and puts the outputs together again in
 * order. It fails as a whole with the first piece that fails; the others then run for nothing.
 */
export async function runInPieces(
  request: ValidatedRequest,
  maxRows: number,
  run: (piece: ValidatedRequest) => Promise<ScheduledResult>,
): Promise<ScheduledResult> {
  const pieces: Promise<ScheduledResult>[] = [];
  for (let start = 0; start < request.rows; start += maxRows) {
    const end = Math.min(request.rows, start + maxRows);
    const inputs = request.inputs.map((input) =>
      input === undefined ? undefined : sliceRows(input, start, end),
    );
    pieces.push(run({ ...request, inputs, rows: end - start }));
  }
  return joinResults(await Promise.all(pieces), request.outputNames.length);
}

function joinResults(results: readonly ScheduledResult[], outputCount: number): ScheduledResult {
  const outputs: Tensor[] = [];
  for (let index = 0; index < outputCount; index += 1) {
    outputs.push(concatTensors(results.flatMap((result) => result.outputs[index] ?? [])));
  }
  const sum = (pick: (result: ScheduledResult) => number): number =>
    results.reduce((total, result) => total + pick(result), 0);
  return {
    outputs,
    timings: {
      queueMicroseconds: Math.max(...results.map(({ timings }) => timings.queueMicroseconds)),
      computeInputMicroseconds: sum(({ timings }) => timings.computeInputMicroseconds),
      computeInferMicroseconds: sum(({ timings }) => timings.computeInferMicroseconds),
      computeOutputMicroseconds: sum(({ timings }) => timings.computeOutputMicroseconds),
      batchRows: Math.max(...results.map(({ timings }) => timings.batchRows)),
    },
  };
}
