/**
 * `npm run demo`: the main job on real input. 1,797 handwritten digits go through a model; the results are verified and
 * held against the label that each row of the file carries.
 */
import { createReadStream, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { install, run } from './install.mjs';

const OUTPUT_DIR = 'results/demo';
const INPUT = ['--input-file', 'examples/digits/digits.csv'];
const RESULTS = ['--output-dir', OUTPUT_DIR];
const MODEL = ['--model-name', 'digits', '--model-repository', 'examples/digits/repository'];

install();
build();
rmSync(fileURLToPath(new URL(`../${OUTPUT_DIR}`, import.meta.url)), { recursive: true, force: true });
millrace('submit', ...INPUT, ...MODEL, '--batch-size', '16', '--keep', 'label', ...RESULTS);
millrace('verify', ...INPUT, ...RESULTS, '--expected-count', '1797');
await printAccuracy();

function millrace(...args) {
  console.log(`\n$ millrace ${args.join(' ')}`);
  run(process.execPath, ['dist/cli/main.js', ...args]);
}

async function printAccuracy() {
  const path = `${OUTPUT_DIR}/results.jsonl`;
  let rows = 0;
  let right = 0;
  for await (const line of createInterface({
    input: createReadStream(new URL(`../${path}`, import.meta.url)),
  })) {
    const { label, outputs } = JSON.parse(line);
    rows += 1;
    right += label === outputs.label ? 1 : 0;
  }
  const percent = ((100 * right) / rows).toFixed(1);
  console.log(`\nAccuracy: ${right} of ${rows} digits are what the file says (${percent} %)`);
  console.log(`The results are in ${path}`);
}
