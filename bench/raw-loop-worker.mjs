/** One of the raw loops: a session of its own that runs the same batch again and again. */
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const { modelPath, inputName, dims } = workerData;
const session = await InferenceSession.create(modelPath, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 4,
});

parentPort.on('message', async (request) => {
  if (request === 'close') {
    await session.release();
    parentPort.close();
    return;
  }
  const { batchRows, milliseconds } = request;
  const values = new Float32Array(batchRows * dims.reduce((product, dim) => product * dim, 1)).fill(0.5);
  const feeds = { [inputName]: new Tensor('float32', values, [batchRows, ...dims]) };
  await session.run(feeds);
  const start = performance.now();
  let rows = 0;
  let elapsed = 0;
  while (elapsed < milliseconds) {
    await session.run(feeds);
    rows += batchRows;
    elapsed = performance.now() - start;
  }
  parentPort.postMessage((rows / elapsed) * 1000);
});
parentPort.postMessage('ready');
