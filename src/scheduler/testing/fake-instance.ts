import type { BatchInputs, BatchOutputs, ModelInstance } from '../../backend/backend.ts';
import { createDeferred } from '../../base/deferred.ts';
import { MillraceError } from '../../base/errors.ts';
import { invariant } from '../../base/invariant.ts';
import { assembleTensor } from '../../tensor/create-tensor.ts';
import type { Tensor } from '../../tensor/tensor.ts';

/** One batch at a `FakeInstance`, in the test's hand. */
export interface FakeRun {
  readonly batch: BatchInputs;
  readonly rows: number;
  /** Values of the first input, all rows after another. */
  readonly values: readonly number[];
  /** Answers with what the model gives, or with `outputs`. */
  finish(outputs?: readonly Tensor[]): void;
  fail(error: Error): void;
}

/** Time that a `FakeInstance` says its runtime took: short enough to be given batches ahead of time. */
const FAKE_COMPUTE_MICROSECONDS = 1_000;

/** What the model computes with when a request leaves out every input. */
const NO_INPUT = assembleTensor('FP32', [1, 1], new Float32Array(1));

/**
 * An instance that runs nothing by itself: the test finishes each batch. Its model gives for every output the first
 * input, negated for an output named `negated`.
 */
export class FakeInstance implements ModelInstance {
  readonly name: string;
  readonly device = 'cpu';
  readonly maxInFlight = 2;
  /** Every batch that it was sent. */
  readonly runs: FakeRun[] = [];
  readonly #pending = new Set<FakeRun>();
  readonly #failure = createDeferred<Error>();
  computeMicroseconds = FAKE_COMPUTE_MICROSECONDS;

  constructor(name = 'fake_0_0') {
    this.name = name;
  }

  get failed(): Promise<Error> {
    return this.#failure.promise;
  }

  /** Batches that it was sent and has not answered, the oldest first. */
  get pending(): readonly FakeRun[] {
    return [...this.#pending];
  }

  /** Rows of every batch that it was sent. */
  get sizes(): readonly number[] {
    return this.runs.map(({ rows }) => rows);
  }

  execute(batch: BatchInputs): Promise<BatchOutputs> {
    const input = batch.inputs.find((tensor) => tensor !== undefined) ?? NO_INPUT;
    invariant(input.datatype === 'FP32', 'the fake model takes FP32');
    const answer = createDeferred<BatchOutputs>();
    const run: FakeRun = {
      batch,
      rows: input.shape[0] ?? 0,
      values: [...input.data],
      finish: (outputs = computeOutputs(batch, input.shape, input.data)) => {
        this.#pending.delete(run);
        answer.resolve({ outputs, computeMicroseconds: this.computeMicroseconds });
      },
      fail: (error) => {
        this.#pending.delete(run);
        answer.reject(error);
      },
    };
    this.runs.push(run);
    this.#pending.add(run);
    return answer.promise;
  }

  /** Ends as a crashed worker does: with all its batches. */
  die(): void {
    const error = new MillraceError('INSTANCE_FAILED', `model instance '${this.name}' died`);
    for (const run of this.pending) {
      run.fail(error);
    }
    this.#failure.resolve(error);
  }

  async close(): Promise<void> {}
}

function computeOutputs(
  { outputNames }: BatchInputs,
  shape: readonly number[],
  data: Float32Array<ArrayBuffer>,
): readonly Tensor[] {
  return outputNames.map((name) =>
    assembleTensor('FP32', shape, name === 'negated' ? data.map((value) => -value) : data.slice()),
  );
}
