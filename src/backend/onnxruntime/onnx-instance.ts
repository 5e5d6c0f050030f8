import { Worker } from 'node:worker_threads';
import { createDeferred, type Deferred } from '../../base/deferred.ts';
import { errorText, MillraceError } from '../../base/errors.ts';
import { invariant } from '../../base/invariant.ts';
import type { BatchInputs, BatchOutputs, ModelInstance } from '../backend.ts';
import { toLoadError } from './load-error.ts';
import type { RunMessage, RunReply, WorkerReply, WorkerRequest, WorkerStart } from './messages.ts';
import { fromPortTensor, toPortTensor } from './port-tensor.ts';
import { shortenRuntimeMessage } from './runtime-message.ts';
import { LANE_BYTES, SharedLane } from './shared-lane.ts';

/** The compiled worker: Node 20 runs no TypeScript, so sources under test use the built one. */
const WORKER_URL = import.meta.url.endsWith('.ts')
  ? new URL('../../../dist/backend/onnxruntime/worker.js', import.meta.url)
  : new URL('./worker.js', import.meta.url);

export interface OnnxInstanceOptions {
  readonly name: string;
  readonly device: string;
  readonly start: Omit<WorkerStart, 'lanes'>;
  /** A script to run instead of the worker: one that wraps it, to show what a failing thread does. */
  readonly workerUrl?: URL;
}

/**
 * Starts a worker thread and loads the model in it.
 * @throws {MillraceError} MODEL_FILE_INVALID, MODEL_UNSUPPORTED, MODEL_LOAD_FAILED, PROVIDER_UNAVAILABLE; the thread
 *   has ended then.
 */
export async function createOnnxInstance(options: OnnxInstanceOptions): Promise<ModelInstance> {
  const instance = new OnnxInstance(options);
  await instance.ready;
  return instance;
}

/** A lane for each batch in flight: one running and one formed. */
const LANES = 2;

/** A batch that was sent. */
interface SentBatch {
  readonly answer: Deferred<BatchOutputs>;
  /** The lane that is its own until the reply. */
  readonly lane: number | undefined;
}

/**
 * The main thread's half of an instance. Batches are posted at once and wait in the worker's port; replies settle
 * them in the same order. States: loading, ready, then closing (asked to) or failed (the thread ended by itself).
 */
class OnnxInstance implements ModelInstance {
  readonly name: string;
  readonly device: string;
  readonly maxInFlight = LANES;
  readonly ready: Promise<void>;
  readonly failed: Promise<Error>;
  readonly #modelPath: string;
  readonly #worker: Worker;
  readonly #loading = createDeferred<void>();
  readonly #failure = createDeferred<Error>();
  readonly #exited = createDeferred<void>();
  readonly #inFlight: SentBatch[] = [];
  readonly #lanes: readonly SharedLane[];
  readonly #freeLanes: number[];
  /** Numbers of the output sets that the worker knows, by their names. */
  readonly #outputSets = new Map<string, number>();
  #loaded = false;
  #closing = false;
  #cause: unknown;
  /** Why nothing more is taken. */
  #refusal: MillraceError | undefined;

  constructor({ name, device, start, workerUrl = WORKER_URL }: OnnxInstanceOptions) {
    this.name = name;
    this.device = device;
    this.ready = this.#loading.promise;
    this.failed = this.#failure.promise;
    this.#modelPath = start.modelPath;
    // The flags of the main thread (loaders, inspectors) are not for a thread that only runs the session.
    const memory = Array.from({ length: LANES }, () => new SharedArrayBuffer(LANE_BYTES));
    const workerData: WorkerStart = { ...start, lanes: memory };
    this.#lanes = memory.map((lane) => new SharedLane(lane));
    this.#freeLanes = memory.map((_, index) => index);
    this.#worker = new Worker(workerUrl, { name, workerData, execArgv: [] });
    this.#worker.on('message', (reply: WorkerReply) => this.#onReply(reply));
    this.#worker.on('error', (error) => {
      this.#cause = error;
    });
    this.#worker.on('exit', (exitCode) => this.#onExit(exitCode));
  }

  execute({ inputs, outputNames, owned }: BatchInputs): Promise<BatchOutputs> {
    if (this.#refusal !== undefined) {
      return Promise.reject(this.#refusal);
    }
    const lane = this.#fillLane(inputs, outputNames);
    try {
      if (lane === undefined) {
        this.#post(inputs, outputNames, owned);
      } else {
        this.#worker.postMessage(lane);
      }
    } catch (error) {
      return Promise.reject(this.#executionError(errorText(error), error));
    }
    const answer = createDeferred<BatchOutputs>();
    this.#inFlight.push({ answer, lane });
    return answer.promise;
  }

  /** @returns the lane that holds the batch now; undefined when none is free or it does not fit. */
  #fillLane(inputs: BatchInputs['inputs'], outputNames: readonly string[]): number | undefined {
    const index = this.#freeLanes.at(-1);
    const lane = index === undefined ? undefined : this.#lanes[index];
    if (!lane?.write(inputs)) {
      return undefined;
    }
    this.#freeLanes.pop();
    lane.outputSet = this.#outputSetOf(outputNames);
    return index;
  }

  /** The number of an output set, which the worker is told when it is new. */
  #outputSetOf(outputNames: readonly string[]): number {
    const key = JSON.stringify(outputNames);
    const known = this.#outputSets.get(key);
    if (known !== undefined) {
      return known;
    }
    const number = this.#outputSets.size;
    this.#outputSets.set(key, number);
    this.#worker.postMessage({ outputSet: outputNames } satisfies WorkerRequest);
    return number;
  }

  #post(inputs: BatchInputs['inputs'], outputNames: readonly string[], owned: boolean): void {
    const transfer = new Set<ArrayBuffer>();
    const message: RunMessage = [
      inputs.map((input) => (input === undefined ? undefined : toPortTensor(input, transfer))),
      outputNames,
    ];
    // What is not transferred is copied into the message.
    this.#worker.postMessage(message, owned ? [...transfer] : []);
  }

  close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      this.#refusal ??= new MillraceError('SHUTTING_DOWN', `model instance '${this.name}' is closed`);
      this.#worker.postMessage('close');
    }
    return this.#exited.promise;
  }

  #onReply(reply: WorkerReply): void {
    if (typeof reply === 'string' || typeof reply === 'number' || 'length' in reply) {
      this.#settle(reply);
    } else if (reply.kind === 'ready') {
      this.#loaded = true;
      this.#loading.resolve();
    } else {
      this.#cause = toLoadError(this.#modelPath, reply.text, reply.runtimeVersion);
    }
  }

  #settle(reply: RunReply): void {
    const sent = this.#inFlight.shift();
    invariant(sent !== undefined, `instance '${this.name}' answered more batches than it was sent`);
    const { answer, lane } = sent;
    if (typeof reply === 'string') {
      answer.reject(this.#executionError(reply));
    } else if (typeof reply === 'number') {
      answer.resolve(this.#readLane(reply));
    } else {
      const [computeMicroseconds, outputs] = reply;
      answer.resolve({ computeMicroseconds, outputs: outputs.map(fromPortTensor) });
    }
    if (lane !== undefined) {
      this.#freeLanes.push(lane);
    }
  }

  #readLane(index: number): BatchOutputs {
    const lane = this.#lanes[index];
    invariant(lane !== undefined, `instance '${this.name}' has no lane ${index}`);
    const outputs = lane.read().filter((output) => output !== undefined);
    return { computeMicroseconds: lane.computeMicroseconds, outputs };
  }

  #executionError(text: string, cause?: unknown): MillraceError {
    return new MillraceError(
      'EXECUTION_FAILED',
      `model instance '${this.name}' could not run the batch: ${shortenRuntimeMessage(text)}`,
      { cause },
    );
  }

  #onExit(exitCode: number): void {
    const cause = this.#cause ?? new Error(`its thread ended with exit code ${exitCode}`);
    if (!this.#loaded) {
      this.#loading.reject(
        cause instanceof MillraceError ? cause : this.#failedError('MODEL_LOAD_FAILED', cause),
      );
    }
    const error = this.#failedError('INSTANCE_FAILED', cause);
    if (!this.#closing) {
      this.#refusal = error;
      this.#failure.resolve(error);
    }
    for (const { answer } of this.#inFlight.splice(0)) {
      answer.reject(error);
    }
    this.#exited.resolve();
  }

  #failedError(reason: 'INSTANCE_FAILED' | 'MODEL_LOAD_FAILED', cause: unknown): MillraceError {
    return new MillraceError(reason, `model instance '${this.name}' died: ${errorText(cause)}`, { cause });
  }
}
