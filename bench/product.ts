/** The built program, since that is what users run; `npm run bench` builds it first. */
import { fileURLToPath } from 'node:url';

const DIST = new URL('../dist/', import.meta.url);

/** The command-line program. */
export const CLI_PATH = fileURLToPath(new URL('cli/main.js', DIST));

/** Makes an engine with the ONNX Runtime backend over one model repository. */
export async function createEngine(
  repository: string,
): Promise<import('../src/engine/inference-engine.ts').InferenceEngine> {
  const { createInferenceEngine }: typeof import('../src/engine/inference-engine.ts') = await import(
    new URL('engine/inference-engine.js', DIST).href
  );
  const { createOnnxRuntimeBackend }: typeof import('../src/backend/onnxruntime/onnxruntime-backend.ts') =
    await import(new URL('backend/onnxruntime/onnxruntime-backend.js', DIST).href);
  return createInferenceEngine({
    modelRepositories: [repository],
    backends: [createOnnxRuntimeBackend()],
    onNotice: (message) => console.error(`  ${message}`),
  });
}
