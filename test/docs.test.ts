import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generateDocs } from '../scripts/generate-docs.ts';

it.each(generateDocs())('$path is what scripts/generate-docs.ts makes', ({ path, text }) => {
  expect(readFileSync(path, 'utf8')).toBe(text);
});
