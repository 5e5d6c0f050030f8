import { describe, expect, it } from 'vitest';
import { createOnnxRuntimeBackend } from './onnxruntime-backend.ts';
import { fixturePath, planFixture, readModelCases, tensorOfCase } from './testing/fixture-models.ts';

const backend = createOnnxRuntimeBackend();

/** Its case has what the ONNX standard asks for; ONNX Runtime's CPU code computes this graph in FP32 instead. */
const NOT_AS_ITS_CASE = 'fp16_overflow_inner';

describe('every model of cases.json', () => {
  const cases = Object.entries(readModelCases()).filter(([model]) => model !== NOT_AS_ITS_CASE);
  it.each(cases)('%s', async (model, runs) => {
    const spec = await planFixture(fixturePath(`${model}.onnx`));
    const instance = await backend.createInstance(spec);
    for (const { inputs, outputs } of runs) {
      const outputNames = Object.keys(outputs);
      const result = await instance.execute({
        inputs: spec.config.inputs.map(({ name }) => inputs[name] && tensorOfCase(inputs[name])),
        outputNames,
      });
      expect(result.outputs).toEqual(Object.values(outputs).map(tensorOfCase));
      expect(result.computeMicroseconds).toBeGreaterThan(0);
    }
    await instance.close();
  });
});
