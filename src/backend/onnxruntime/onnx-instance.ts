import { Worker } from 'node:worker_threads';
import { createDeferred, type Deferred } from '../../base/deferred.ts';
import { errorText, MillraceError } from '../../base/errors.ts';
import { invariant } from '../../base/invariant.ts';
import type { BatchInputs, BatchOutputs, ModelInstance } from '../backend.ts';
import { toLoadError } from './load-error.ts';
import type { RunMessage, RunReply, WorkerReply, WorkerStart } from './messages.ts';
import { fromPortTensor, toPortTensor } from './port-tensor.ts';
import { shortenRuntimeMessage } from './runtime-message.ts';

/** The compiled worker: Node 20 runs no TypeScript, so sources under test use the built one. */
const WORKER_URL = import.meta.url.endsWith('.ts')
  ? new URL('../../../dist/backend/onnxruntime/worker.js', import.meta.url)
  : new URL('./worker.js', import.meta.url);

export interface OnnxInstanceOptions {
  readonly name: string;
  readonly device: string;
  readonly start: WorkerStart;
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

/**
 * The main thread's half of an instance. Batches are posted at once and wait in the worker's port; replies settle
 * them in the same order. States: loading, ready, then closing (asked to) or failed (the thread ended by itself).
 */
class OnnxInstance implements ModelInstance {
  readonly name: string;
  readonly device: string;
  readonly maxInFlight = 2;
  readonly ready: Promise<void>;
  readonly failed: Promise<Error>;
  readonly #modelPath: string;
  readonly #worker: Worker;
  readonly #loading = createDeferred<void>();
  readonly #failure = createDeferred<Error>();
  readonly #exited = createDeferred<void>();
  readonly #inFlight: Deferred<BatchOutputs>[] = [];
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
    this.#worker = new Worker(workerUrl, { name, workerData: start, execArgv: [] });
    this.#worker.on('message', (reply: WorkerReply) => this.#onReply(reply));
    this.#worker.on('error', (error) => {
      this.#cause = error;
    });
    this.#worker.on('exit', (exitCode) => this.#onExit(exitCode));
  }

  execute({ inputs, outputNames }: BatchInputs): Promise<BatchOutputs> {
    if (this.#refusal !== undefined) {
      return Promise.reject(this.#refusal);
    }
    const transfer = new Set<ArrayBuffer>();
    const message: RunMessage = [
      inputs.map((input) => (input === undefined ? undefined : toPortTensor(input, transfer))),
      outputNames,
    ];
    try {
      this.#worker.postMessage(message, [...transfer]);
    } catch (error) {
      return Promise.reject(this.#executionError(errorText(error), error));
    }
    const batch = createDeferred<BatchOutputs>();
    this.#inFlight.push(batch);
    return batch.promise;
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
    if (typeof reply === 'string' || 'length' in reply) {
      this.#settle(reply);
    } else if (reply.kind === 'ready') {
      this.#loaded = true;
      this.#loading.resolve();
    } else {
      this.#cause = toLoadError(this.#modelPath, reply.text, reply.runtimeVersion);
    }
  }

  #settle(reply: RunReply): void {
    const batch = this.#inFlight.shift();
    invariant(batch !== undefined, `instance '${this.name}' answered more batches than it was sent`);
    if (typeof reply === 'string') {
      batch.reject(this.#executionError(reply));
    } else {
      const [computeMicroseconds, outputs] = reply;
      batch.resolve({ computeMicroseconds, outputs: outputs.map(fromPortTensor) });
    }
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
    for (const batch of this.#inFlight.splice(0)) {
      batch.reject(error);
    }
    this.#exited.resolve();
  }

  #failedError(reason: 'INSTANCE_FAILED' | 'MODEL_LOAD_FAILED', cause: unknown): MillraceError {
    return new MillraceError(reason, `model instance '${this.name}' died: ${errorText(cause)}`, { cause });
  }
}
