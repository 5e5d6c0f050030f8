import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, totalmem } from 'node:os';

const require = createRequire(import.meta.url);

/** One line: processor, cores, memory, and the versions that matter. */
export function describeMachine(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return (
    `Measured on ${model}, ${availableParallelism()} cores, ${memoryGb} GB, ${process.platform} ${process.arch}, ` +
    `Node ${process.versions.node}, onnxruntime-node ${readVersion('onnxruntime-node')}.`
  );
}

function readVersion(packageName: string): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(require.resolve(`${packageName}/package.json`), 'utf8'),
  );
  return version;
}
