/**
 * The rooms of src/: what each may import of the others (a folder, or a single file), and which packages. The table in
 * ARCHITECTURE.md says the same, which a test checks.
 */
const ROOMS = {
  base: { imports: [], packages: ['fastest-levenshtein'] },
  tensor: { imports: ['base'], packages: [] },
  'model-config': { imports: ['base', 'tensor'], packages: ['protobufjs'] },
  onnx: { imports: ['base', 'tensor'], packages: [] },
  inference: { imports: ['base', 'tensor', 'model-config'], packages: ['tinyqueue'] },
  backend: {
    imports: ['base', 'tensor', 'model-config', 'inference', 'onnx'],
    packages: ['onnxruntime-node'],
  },
  scheduler: {
    imports: ['base', 'tensor', 'model-config', 'inference', 'backend/backend.ts'],
    packages: ['tinyqueue'],
  },
  repository: { imports: ['base', 'model-config'], packages: [] },
  engine: {
    imports: [
      'base',
      'tensor',
      'model-config',
      'inference',
      'backend/backend.ts',
      'backend/available-cores.ts',
      'backend/instance-plan.ts',
      'scheduler',
      'repository',
    ],
    packages: [],
  },
  client: { imports: ['base', 'tensor', 'model-config', 'inference', 'engine'], packages: [] },
  batch: {
    imports: ['base', 'tensor', 'inference', 'client/infer-client.ts'],
    packages: ['papaparse', 'lossless-json', 'p-limit', 'zod'],
  },
  config: { imports: ['base', 'batch/job-options.ts'], packages: ['zod'] },
  cli: { imports: ['*'], packages: ['commander', 'cli-progress'] },
};

module.exports = { ROOMS };
