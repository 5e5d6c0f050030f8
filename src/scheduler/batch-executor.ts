import type { ModelInstance } from '../backend/backend.ts';
import type { Clock } from '../base/clock.ts';
import { checkOutputs } from '../inference/check-outputs.ts';
import type { ModelConfig, OutputSpec } from '../model-config/model-config.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { type Batch, joinInputs, splitOutputs } from './batch.ts';
import type { ScheduledResult } from './scheduler.ts';

/** What an instance gave for a batch, not yet checked, and when. */
export interface BatchExecution {
  readonly batch: Batch;
  /** One for each of the batch's `outputNames`. */
  readonly outputs: readonly Tensor[];
  /** Time inside the runtime alone. */
  readonly computeMicroseconds: number;
  /** When the batch had left the queue, its inputs were joined, and its outputs had come. */
  readonly startMicroseconds: number;
  readonly joinedMicroseconds: number;
  readonly receivedMicroseconds: number;
}

/** Joins the requests of a batch, has it run, and divides what comes back. */
export class BatchExecutor {
  readonly #config: ModelConfig;
  readonly #clock: Clock;
  readonly #outputSpecs: ReadonlyMap<string, OutputSpec>;

  constructor(config: ModelConfig, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
    this.#outputSpecs = new Map(config.outputs.map((output) => [output.name, output]));
  }

  /** @throws as `ModelInstance.execute`. */
  async execute(instance: ModelInstance, batch: Batch): Promise<BatchExecution> {
    const startMicroseconds = this.#clock.nowMicroseconds();
    const inputs = joinInputs(batch);
    const joinedMicroseconds = this.#clock.nowMicroseconds();
    const { outputs, computeMicroseconds } = await instance.execute({
      inputs,
      outputNames: batch.outputNames,
      owned: batch.entries.length > 1,
    });
    const receivedMicroseconds = this.#clock.nowMicroseconds();
    return {
      batch,
      outputs,
      computeMicroseconds,
      startMicroseconds,
      joinedMicroseconds,
      receivedMicroseconds,
    };
  }

  /**
   * The results of the requests, in the order of the batch's entries.
   * @throws {MillraceError} OUTPUT_BATCH_MISMATCH, OUTPUT_INVALID.
   */
  divide(execution: BatchExecution): readonly ScheduledResult[] {
    const {
      batch,
      outputs,
      computeMicroseconds,
      startMicroseconds,
      joinedMicroseconds,
      receivedMicroseconds,
    } = execution;
    const { name, maxBatchSize } = this.#config;
    const specs = batch.outputNames.flatMap((output) => this.#outputSpecs.get(output) ?? []);
    checkOutputs(name, specs, outputs, maxBatchSize > 0 ? batch.rows : undefined);
    const parts = splitOutputs(batch, outputs);
    // Waiting inside the instance, behind the batch that it was running, and the way there and back.
    const insideMicroseconds = Math.max(0, receivedMicroseconds - joinedMicroseconds - computeMicroseconds);
    const computeOutputMicroseconds = this.#clock.nowMicroseconds() - receivedMicroseconds;
    return parts.map((own, index) => ({
      outputs: own,
      timings: {
        queueMicroseconds:
          startMicroseconds - (batch.entries[index]?.enqueuedMicroseconds ?? 0) + insideMicroseconds,
        computeInputMicroseconds: joinedMicroseconds - startMicroseconds,
        computeInferMicroseconds: computeMicroseconds,
        computeOutputMicroseconds,
        batchRows: batch.rows,
      },
    }));
  }
}
