/**
 * `npm run bench [-- part ... --rounds N]`: measures the built program, prints a table a part, and writes it into
 * docs/performance.md. A part runs in a process of its own, so that none sees the memory of another.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { renderFigures } from './figures.ts';
import { describeMachine } from './machine.ts';
import type { Part, PartResults } from './part.ts';
import { batchJob } from './parts/batch-job.ts';
import { engine } from './parts/engine.ts';
import { memory } from './parts/memory.ts';
import { modelCycles } from './parts/model-cycles.ts';
import { rawLoops } from './parts/raw-loops.ts';
import { writeResults } from './performance-page.ts';

const PARTS: readonly Part[] = [rawLoops, engine, batchJob, memory, modelCycles];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } },
});
const rounds = Number(options.rounds);
const chosen = positionals.length === 0 ? PARTS : positionals.map(findPart);
if (process.send !== undefined) {
  for (const part of chosen) {
    process.send(await measure(part));
  }
  process.disconnect();
} else {
  for (const part of chosen) {
    const { figures, notes } = await measureInChild(part);
    const results = `${renderFigures(figures)}\n\n${[describeMachine(), ...notes].join(' ')}`;
    console.log(`\n${part.name}\n\n${results}`);
    writeResults(part.name, results);
  }
}

function findPart(name: string): Part {
  const part = PARTS.find((candidate) => candidate.name === name);
  if (part === undefined) {
    throw new Error(`no part '${name}': there are ${PARTS.map((candidate) => candidate.name).join(', ')}`);
  }
  return part;
}

async function measureInChild({ name }: Part): Promise<PartResults> {
  console.error(name);
  const child = fork(fileURLToPath(import.meta.url), [name, '--rounds', String(rounds)]);
  const exited = once(child, 'exit');
  const [results] = await Promise.race([once(child, 'message'), exited.then(() => [undefined])]);
  await exited;
  if (results === undefined) {
    throw new Error(`part '${name}' failed`);
  }
  return results;
}

async function measure(part: Part): Promise<PartResults> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  try {
    return await part.run({ folder, rounds });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
