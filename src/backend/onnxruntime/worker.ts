/**
 * The thread of one model instance: it makes the session, runs the batches it is sent one after the other, and on
 * `close` frees the session and ends by itself. It must never be terminated: ONNX Runtime aborts the whole process
 * when its thread goes away during a run or a load.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { env, InferenceSession, type Tensor as OrtTensor } from 'onnxruntime-node';
import { errorText } from '../../base/errors.ts';
import { invariant } from '../../base/invariant.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { PortTensor, RunMessage, RunReply, StartReply, WorkerRequest, WorkerStart } from './messages.ts';
import { fromOrtTensor, toOrtTensor } from './ort-tensor.ts';
import { datatypeOfOrtType } from './ort-types.ts';
import { SharedLane } from './shared-lane.ts';

const port = parentPort;
invariant(port !== null, 'worker.ts runs in a worker thread');
const start: WorkerStart = workerData;
const lanes = start.lanes.map((memory) => new SharedLane(memory));
/** Names of outputs, by the number that lanes give. */
const outputSets: (readonly string[])[] = [];

// Where JavaScript has Float16Array (Node 24), ONNX Runtime's Tensor makes one of FP16 data, and then its own native
// binding cannot read it. Without that type in this thread, both take the bits as they are.
Reflect.deleteProperty(globalThis, 'Float16Array');

// A provider that cannot load writes to stderr through the runtime's own logger, whatever the level of the session.
env.logLevel = 'fatal';

const session = await openSession();
if (session !== undefined) {
  let last = Promise.resolve();
  // Messages that came during the load are delivered from here on.
  port.on('message', (request: WorkerRequest) => {
    last = last.then(() => handle(session, request));
  });
  tell({ kind: 'ready' });
}

/** Undefined when the model was refused: nothing is left to do then, and the thread ends. */
async function openSession(): Promise<InferenceSession | undefined> {
  let opened: InferenceSession | undefined;
  try {
    opened = await InferenceSession.create(start.modelPath, start.sessionOptions);
    checkDatatypes(opened);
    return opened;
  } catch (error) {
    await opened?.release();
    tell({
      kind: 'refused',
      text: errorText(error),
      runtimeVersion: env.versions.node ?? env.versions.common,
    });
    return undefined;
  }
}

/** A model file may keep the datatype of an output to itself: then it is known only now. */
function checkDatatypes({ inputMetadata, outputMetadata }: InferenceSession): void {
  for (const value of [...inputMetadata, ...outputMetadata]) {
    if (value.isTensor && datatypeOfOrtType(value.type) === undefined) {
      throw new Error(`Unsupported data type: ${value.type} of '${value.name}'`);
    }
  }
}

async function handle(opened: InferenceSession, request: WorkerRequest): Promise<void> {
  if (request === 'close') {
    await opened.release();
    port?.close();
    return;
  }
  if (typeof request === 'object' && 'outputSet' in request) {
    outputSets.push(request.outputSet);
    return;
  }
  const transfer = new Set<ArrayBuffer>();
  let reply: RunReply;
  try {
    reply =
      typeof request === 'number'
        ? await runLane(opened, request, transfer)
        : await run(opened, request, transfer);
  } catch (error) {
    reply = errorText(error);
    transfer.clear();
  }
  port?.postMessage(reply, [...transfer]);
}

/** Runs what is in a lane; the outputs go there too, or into the reply when they do not fit. */
async function runLane(
  opened: InferenceSession,
  index: number,
  transfer: Set<ArrayBuffer>,
): Promise<RunReply> {
  const lane = lanes[index];
  const outputNames = lane === undefined ? undefined : outputSets[lane.outputSet];
  invariant(lane !== undefined && outputNames !== undefined, `lane ${index} is not known`);
  const inputs = lane.read().map(toMessageTensor);
  const [computeMicroseconds, outputs] = await run(opened, [inputs, outputNames], transfer);
  if (!lane.write(outputs.map(([datatype, shape, data]) => ({ datatype, shape, data })))) {
    return [computeMicroseconds, outputs];
  }
  transfer.clear();
  lane.computeMicroseconds = computeMicroseconds;
  return index;
}

/** A lane holds numeric tensors alone. */
function toMessageTensor(tensor: Tensor | undefined): PortTensor | undefined {
  return tensor === undefined || tensor.datatype === 'BYTES'
    ? undefined
    : [tensor.datatype, tensor.shape, tensor.data];
}

async function run(
  opened: InferenceSession,
  [inputs, outputNames]: RunMessage,
  transfer: Set<ArrayBuffer>,
): Promise<readonly [computeMicroseconds: number, outputs: readonly PortTensor[]]> {
  const feeds: Record<string, OrtTensor> = {};
  for (const [index, name] of start.inputNames.entries()) {
    const input = inputs[index];
    if (input !== undefined) {
      feeds[name] = describeFault(name, () => toOrtTensor(input));
    }
  }
  const before = performance.now();
  const results = await opened.run(feeds, outputNames);
  const computeMicroseconds = (performance.now() - before) * 1000;
  const outputs = outputNames.map((name) => {
    const result = results[name];
    invariant(result !== undefined, `the runtime gave no output '${name}'`);
    return fromOrtTensor(result, transfer);
  });
  return [computeMicroseconds, outputs];
}

function describeFault<T>(inputName: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new Error(`input '${inputName}': ${errorText(error)}`);
  }
}

function tell(reply: StartReply): void {
  port?.postMessage(reply);
}
