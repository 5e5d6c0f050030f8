import { expect, it } from 'vitest';
import { outcomeOf, resolveText } from '../model-config/testing/load-config.ts';
import { assembleTensor } from '../tensor/create-tensor.ts';
import type { InferenceRequest } from './request.ts';
import { createRequestRules } from './request-rules.ts';
import { validateRequest } from './validate-request.ts';

const TENSORS = `max_batch_size: 4
  input { name: "x" data_type: TYPE_FP32 dims: [1] }
  output { name: "y" data_type: TYPE_FP32 dims: [1] }`;

const PLAIN = createRequestRules(resolveText(TENSORS), []);
const WITH_PRIORITIES = createRequestRules(
  resolveText(`${TENSORS} dynamic_batching { priority_levels: 3 default_priority_level: 2 }`),
  [],
);

const request = (parameters: Partial<InferenceRequest>): InferenceRequest => ({
  modelName: 'demo',
  inputs: new Map([['x', assembleTensor('FP32', [1, 1], new Float32Array(1))]]),
  ...parameters,
});

it.each([
  [{}, 2],
  [{ priority: 0 }, 2],
  [{ priority: 1 }, 1],
  [{ priority: 3 }, 3],
  [{ priority: 4 }, 2],
])('of %j makes priority %i, the default level being 2 of 3', (parameters, priority) => {
  expect(validateRequest(request(parameters), WITH_PRIORITIES).priority).toBe(priority);
});

it('knows no priorities where the model has none', () => {
  expect(validateRequest(request({ priority: 3 }), PLAIN).priority).toBe(0);
});

it.each([0, 1, Number.MAX_SAFE_INTEGER])('takes a timeout of %d microseconds', (timeoutMicroseconds) => {
  expect(outcomeOf(() => validateRequest(request({ timeoutMicroseconds }), PLAIN))).toBe('accepted');
});

it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
  'refuses %d, with or without priorities',
  (value) => {
    for (const rules of [PLAIN, WITH_PRIORITIES]) {
      expect(outcomeOf(() => validateRequest(request({ priority: value }), rules))).toBe(
        `PARAMETER_INVALID parameter 'priority' must be a whole number of at least 0, got ${value}`,
      );
      expect(outcomeOf(() => validateRequest(request({ timeoutMicroseconds: value }), rules))).toBe(
        `PARAMETER_INVALID parameter 'timeout' must be a whole number of at least 0, got ${value}`,
      );
    }
  },
);
