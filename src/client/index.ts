/** `millrace/client`: the port to a model, wherever it runs. */
export { createInProcessClient } from './in-process-client.ts';
export type { InferClient, ModelMetadata, TensorMetadata } from './infer-client.ts';
