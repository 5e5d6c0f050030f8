/** Millrace as a library: the engine, and batch jobs over it. */
export { createOnnxRuntimeBackend } from './backend/onnxruntime/onnxruntime-backend.ts';
export { type ErrorDetails, MillraceError } from './base/errors.ts';
export type { ErrorCode, Reason } from './base/reasons.ts';
export { runJob } from './batch/job.ts';
export type { JobEvent, JobListener, JobProgress, JobSummary } from './batch/job-events.ts';
export type { JobOptions } from './batch/job-options.ts';
export { createInProcessClient } from './client/in-process-client.ts';
export {
  createInferenceEngine,
  type EngineOptions,
  type InferenceEngine,
} from './engine/inference-engine.ts';
export type { InferenceRequest, RequestedOutput } from './inference/request.ts';
export type { InferenceResponse } from './inference/response.ts';
export { createTensor } from './tensor/create-tensor.ts';
export type { Datatype } from './tensor/datatype.ts';
export type { NamedTensors, Tensor } from './tensor/tensor.ts';
