import { ManualClock, settle } from '../../base/testing/manual-clock.ts';
import type { InferenceRequest } from '../../inference/request.ts';
import { createRequestRules } from '../../inference/request-rules.ts';
import { validateRequest } from '../../inference/validate-request.ts';
import type { ModelConfig } from '../../model-config/model-config.ts';
import { parseModelConfig } from '../../model-config/model-config-text.ts';
import { resolveModelConfig } from '../../model-config/resolve-model-config.ts';
import { assembleTensor } from '../../tensor/create-tensor.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { createScheduler } from '../dynamic-batcher.ts';
import type { ScheduledResult, Scheduler } from '../scheduler.ts';
import { FakeInstance } from './fake-instance.ts';

const TENSORS = `
  backend: "fake"
  input [
    { name: "x" data_type: TYPE_FP32 dims: [-1] },
    { name: "bias" data_type: TYPE_FP32 dims: [-1] optional: true }
  ]
  output [
    { name: "same" data_type: TYPE_FP32 dims: [-1] },
    { name: "negated" data_type: TYPE_FP32 dims: [-1] }
  ]`;

/** A model that takes rows of any length and gives them back, with the rest of its config.pbtxt as given. */
export function fakeConfig(text: string): ModelConfig {
  return resolveModelConfig(parseModelConfig(TENSORS + text, 'config.pbtxt'), {
    modelName: 'fake',
    backend: { name: 'fake', platforms: [] },
    defaultModelFilename: 'model.fake',
    labelFiles: new Map(),
  });
}

/** An FP32 tensor of `rows` rows, each of `width` times `value`. */
export function filled(value: number, rows: number, width = 1): Tensor {
  return assembleTensor('FP32', [rows, width], new Float32Array(rows * width).fill(value));
}

interface SendOptions extends Partial<InferenceRequest> {
  readonly rows?: number;
  readonly width?: number;
  readonly outputs?: readonly string[];
  readonly signal?: AbortSignal;
}

/** A request as a test sees it. */
export interface Sent {
  readonly promise: Promise<ScheduledResult>;
  /** `waiting`, or values of the first output, or reason of the failure. */
  state(): 'waiting' | readonly number[] | string;
}

/** A scheduler with fake instances and a clock, all in the test's hand. */
export interface TestBench {
  readonly clock: ManualClock;
  readonly scheduler: Scheduler;
  readonly instances: readonly FakeInstance[];
  /** The first instance. */
  readonly instance: FakeInstance;
  /** Schedules a request of `rows` rows filled with `value`. */
  send(value: number, options?: SendOptions): Sent;
}

/** @param text of config.pbtxt, without the tensors. */
export function openScheduler(text: string, instanceCount = 1): TestBench {
  const config = fakeConfig(text);
  const rules = createRequestRules(config, []);
  const clock = new ManualClock();
  const scheduler = createScheduler(config, clock);
  const instance = new FakeInstance();
  const instances = [instance];
  for (let number = 1; number < instanceCount; number += 1) {
    instances.push(new FakeInstance(`fake_0_${number}`));
  }
  for (const added of instances) {
    scheduler.addInstance(added);
  }
  const send = (value: number, options: SendOptions = {}): Sent => {
    const { rows = 1, width = 1, outputs, signal, ...rest } = options;
    const request: InferenceRequest = {
      modelName: 'fake',
      inputs: new Map([['x', filled(value, rows, width)]]),
      ...(outputs && { requestedOutputs: outputs.map((name) => ({ name })) }),
      ...rest,
    };
    return watch(scheduler.schedule(validateRequest(request, rules), signal));
  };
  return { clock, scheduler, instances, instance, send };
}

/** Lets everything happen that needs no time. */
export async function flush(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) {
    await settle();
  }
}

function watch(promise: Promise<ScheduledResult>): Sent {
  let state: ReturnType<Sent['state']> = 'waiting';
  promise.then(
    ({ outputs: [first] }) => {
      state = first?.datatype === 'FP32' ? [...first.data] : 'no output';
    },
    (error: unknown) => {
      state = error instanceof Error && 'reason' in error ? String(error.reason) : 'no reason';
    },
  );
  return { promise, state: () => state };
}
