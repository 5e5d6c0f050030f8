import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GENERATED_FILE, generateModelConfigTypes } from '../scripts/generate-model-config-types.ts';

it('the types of ModelConfig are those of proto/model_config.proto', () => {
  expect(readFileSync(GENERATED_FILE, 'utf8')).toBe(generateModelConfigTypes());
});
