import { toMillraceError } from '../base/errors.ts';
import { classify } from '../inference/classification.ts';
import type { InferenceRequest, ValidatedRequest } from '../inference/request.ts';
import type { RequestRules } from '../inference/request-rules.ts';
import { reshapeRows } from '../inference/reshape.ts';
import type { InferenceResponse } from '../inference/response.ts';
import { validateRequest } from '../inference/validate-request.ts';
import type { ModelConfig, OutputSpec } from '../model-config/model-config.ts';
import type { ScheduledResult, Scheduler } from '../scheduler/scheduler.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { InstanceSupervisor } from './instance-supervisor.ts';
import { type ModelStatistics, RequestCounter } from './statistics.ts';

/** What is known of a model version once it is loaded. */
export interface LoadedModelFacts {
  readonly version: bigint;
  readonly config: ModelConfig;
  /** SHA-256 over the model's files. */
  readonly sha256: string;
  readonly nondeterministicNodes: readonly string[];
}

/**
 * One version of a model, ready to answer. A request goes one way through it:
 * validate -> schedule -> give back exactly the outputs asked for.
 */
export class LoadedModel {
  readonly facts: LoadedModelFacts;
  readonly #rules: RequestRules;
  readonly #scheduler: Scheduler;
  readonly #instances: InstanceSupervisor;
  readonly #outputs: ReadonlyMap<string, OutputSpec>;
  readonly #counter = new RequestCounter();

  constructor(
    facts: LoadedModelFacts,
    rules: RequestRules,
    scheduler: Scheduler,
    instances: InstanceSupervisor,
  ) {
    this.facts = facts;
    this.#rules = rules;
    this.#scheduler = scheduler;
    this.#instances = instances;
    this.#outputs = new Map(facts.config.outputs.map((output) => [output.name, output]));
  }

  /** Devices that its instances run on. */
  get devices(): readonly string[] {
    return this.#instances.devices;
  }

  /** Instances that work now. */
  get instanceCount(): number {
    return this.#instances.size;
  }

  /** @throws {MillraceError} as `validateRequest` and `Scheduler.schedule`. */
  async infer(request: InferenceRequest, signal?: AbortSignal): Promise<InferenceResponse> {
    try {
      const validated = validateRequest(request, this.#rules);
      const result = await this.#scheduler.schedule(validated, signal);
      const response = this.#respond(validated, result);
      this.#counter.addSuccess(result.timings);
      return response;
    } catch (error) {
      const failure = toMillraceError(error, `model '${this.facts.config.name}' failed`);
      this.#counter.addFailure(failure.reason);
      throw failure;
    }
  }

  statistics(): ModelStatistics {
    return this.#counter.snapshot(this.#scheduler.statistics());
  }

  /** Takes nothing new, finishes what it has, and frees the instances. */
  async close(): Promise<void> {
    await this.#scheduler.close();
    await this.#instances.close();
  }

  #respond(validated: ValidatedRequest, result: ScheduledResult): InferenceResponse {
    const { request, outputNames } = validated;
    const outputs = new Map<string, Tensor>();
    for (const [index, tensor] of result.outputs.entries()) {
      const name = outputNames[index] ?? '';
      outputs.set(
        name,
        this.#shapeForClient(tensor, name, request.requestedOutputs?.[index]?.classificationCount ?? 0),
      );
    }
    return {
      modelName: request.modelName,
      modelVersion: this.facts.version,
      ...(request.id !== undefined && { id: request.id }),
      outputs,
      timings: result.timings,
    };
  }

  #shapeForClient(tensor: Tensor, name: string, classificationCount: number): Tensor {
    const spec = this.#outputs.get(name);
    const batched = this.facts.config.maxBatchSize > 0;
    // The shapes were checked against `reshape` and config when the batch came back, so that it always fits.
    const shaped =
      spec?.reshape === undefined
        ? tensor
        : (reshapeRows(tensor, spec.reshape, spec.dims, batched) ?? tensor);
    return classificationCount > 0
      ? classify(shaped, classificationCount, spec?.labels ?? [], batched)
      : shaped;
  }
}
