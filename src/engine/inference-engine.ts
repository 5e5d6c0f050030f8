import { readAvailableCores } from '../backend/available-cores.ts';
import type { Backend } from '../backend/backend.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { MillraceError } from '../base/errors.ts';
import { nearestNames, quoteNames } from '../base/nearest-names.ts';
import type { InferenceRequest } from '../inference/request.ts';
import type { InferenceResponse } from '../inference/response.ts';
import { createLocalRepository } from '../repository/local-repository.ts';
import type { LoadContext } from './load-model.ts';
import type { LoadedModel } from './loaded-model.ts';
import { ModelLifecycle } from './model-lifecycle.ts';
import type { ModelIndexEntry } from './model-state.ts';
import type { ModelStatistics } from './statistics.ts';

/** Triton's default for models that can batch and whose config does not say how far. */
const DEFAULT_MAX_BATCH_SIZE = 4;

export interface EngineOptions {
  /** Folders with models. */
  readonly modelRepositories: readonly string[];
  readonly backends: readonly Backend[];
  /** max_batch_size of models that can batch and whose config does not say; 4 by default, as in Triton. */
  readonly defaultMaxBatchSize?: number;
  /** Divides requests with more rows than max_batch_size instead of refusing them, for every model. */
  readonly splitOversize?: boolean;
  /** Cores that the instances of a model may use; by default those that this process may use. */
  readonly cores?: number;
  readonly clock?: Clock;
  /** Told what a person should know: warnings at load, instances that were replaced. */
  readonly onNotice?: (message: string) => void;
}

/** Loads models and runs requests on them. The one door to inference, whatever protocol a request came by. */
export interface InferenceEngine {
  /**
   * Loads, or loads anew, the versions that the model's policy wants. The versions served until now go on until the new
   * ones are ready, and stay when these fail.
   * @throws {MillraceError} with the reason when no version could be loaded.
   */
  loadModel(name: string): Promise<void>;
  /** Stops taking requests for the model, finishes those it has, frees it. @throws {MillraceError} MODEL_NOT_FOUND. */
  unloadModel(name: string): Promise<void>;
  /**
   * Runs one request. An abort drops it if it has not begun to run.
   * @throws {MillraceError} MODEL_NOT_FOUND, MODEL_VERSION_NOT_FOUND, MODEL_NOT_READY, and as `validateRequest` and
   *   `Scheduler.schedule`.
   */
  infer(request: InferenceRequest, signal?: AbortSignal): Promise<InferenceResponse>;
  /**
   * A version that is ready; undefined: the highest.
   * @throws {MillraceError} MODEL_NOT_FOUND, MODEL_VERSION_NOT_FOUND, MODEL_NOT_READY.
   */
  findModel(name: string, version?: bigint): LoadedModel;
  /** @throws {MillraceError} as `findModel`. */
  modelStatistics(name: string, version?: bigint): ModelStatistics;
  /** Every version that was asked for, by name and version. */
  repositoryIndex(): readonly ModelIndexEntry[];
  /** Unloads everything. Idempotent. */
  close(): Promise<void>;
}

export function createInferenceEngine(options: EngineOptions): InferenceEngine {
  return new LocalInferenceEngine({
    repository: createLocalRepository(options.modelRepositories),
    backends: options.backends,
    clock: options.clock ?? systemClock,
    cores: options.cores ?? readAvailableCores(),
    defaultMaxBatchSize: options.defaultMaxBatchSize ?? DEFAULT_MAX_BATCH_SIZE,
    splitOversize: options.splitOversize ?? false,
    onNotice: options.onNotice ?? (() => {}),
  });
}

class LocalInferenceEngine implements InferenceEngine {
  readonly #context: LoadContext;
  readonly #models = new Map<string, ModelLifecycle>();
  #closing = false;

  constructor(context: LoadContext) {
    this.#context = context;
  }

  async loadModel(name: string): Promise<void> {
    if (this.#closing) {
      throw new MillraceError('SHUTTING_DOWN', `the engine is shutting down, model '${name}' is not loaded`);
    }
    let lifecycle = this.#models.get(name);
    if (lifecycle === undefined) {
      lifecycle = new ModelLifecycle(name, this.#context);
      this.#models.set(name, lifecycle);
    }
    await lifecycle.load();
  }

  async unloadModel(name: string): Promise<void> {
    await this.#find(name).unload();
  }

  infer(request: InferenceRequest, signal?: AbortSignal): Promise<InferenceResponse> {
    let model: LoadedModel;
    try {
      model = this.findModel(request.modelName, request.modelVersion);
    } catch (error) {
      return Promise.reject(error);
    }
    return model.infer(request, signal);
  }

  findModel(name: string, version?: bigint): LoadedModel {
    return this.#find(name).find(version);
  }

  modelStatistics(name: string, version?: bigint): ModelStatistics {
    return this.findModel(name, version).statistics();
  }

  repositoryIndex(): readonly ModelIndexEntry[] {
    return [...this.#models.values()].flatMap((lifecycle) => lifecycle.index());
  }

  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#models.values()].map((lifecycle) => lifecycle.unload()));
  }

  #find(name: string): ModelLifecycle {
    const lifecycle = this.#models.get(name);
    if (lifecycle === undefined) {
      const known = [...this.#models.keys()];
      const nearest = nearestNames(name, known);
      const hint =
        nearest.length > 0 ? `did you mean ${quoteNames(nearest)}?` : `loaded are ${quoteNames(known)}`;
      throw new MillraceError(
        'MODEL_NOT_FOUND',
        `Request for unknown model: '${name}' is not found: ${hint}`,
        {
          details: { model: name },
        },
      );
    }
    return lifecycle;
  }
}
