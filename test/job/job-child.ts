/**
 * Runs a job over the example digits in a process of its own, which kills itself when a certain event happens:
 * `tsx job-child.ts <options> <event>`, both as JSON. The event is `{kind, count}`: the count-th of that kind. Runs what
 * is built, so that starting it compiles nothing.
 */
import type { JobEvent } from '../../src/batch/job-events.ts';
import type { JobOptions } from '../../src/batch/job-options.ts';

const [optionsJson = '', deathJson = ''] = process.argv.slice(2);
const options: JobOptions = JSON.parse(optionsJson);
const death: { readonly kind: JobEvent['kind']; readonly count: number } = JSON.parse(deathJson);
let seen = 0;

function dieAt({ kind }: JobEvent): void {
  if (kind === death.kind) {
    seen += 1;
    if (seen === death.count) {
      process.kill(process.pid, 'SIGKILL');
    }
  }
}

function built(path: string): string {
  return new URL(`../../dist/${path}`, import.meta.url).href;
}

const { runJob }: typeof import('../../src/batch/job.ts') = await import(built('batch/job.js'));
const { createInferenceEngine }: typeof import('../../src/engine/inference-engine.ts') = await import(
  built('engine/inference-engine.js')
);
const { createInProcessClient }: typeof import('../../src/client/in-process-client.ts') = await import(
  built('client/in-process-client.js')
);
const { createOnnxRuntimeBackend }: typeof import('../../src/backend/onnxruntime/onnxruntime-backend.ts') =
  await import(built('backend/onnxruntime/onnxruntime-backend.js'));

const engine = createInferenceEngine({
  modelRepositories: [new URL('../../examples/digits/repository', import.meta.url).pathname],
  backends: [createOnnxRuntimeBackend()],
  defaultMaxBatchSize: options.batchSize,
});
await engine.loadModel(options.modelName);
await runJob(options, createInProcessClient(engine), dieAt, new AbortController().signal);
await engine.close();
