import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const MAIN = join(ROOT, 'dist/cli/main.js');
export const DIGITS = join(ROOT, 'examples/digits');

/** How a run of the program ended. */
export interface CliResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** All of stdin; `open`: it has a beginning and no end. */
  readonly stdin?: Buffer | 'open';
  readonly cwd?: string;
  /** Gets the process before it prints anything. */
  readonly onStart?: (child: ChildProcess) => void;
  /** Gets the process after each line it prints. */
  readonly onLine?: (line: string, child: ChildProcess) => void;
  /** Program file, if not that of the build. */
  readonly main?: string;
}

/** Runs the program as a user does, compiled and in a process of its own. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = spawn(process.execPath, [options.main ?? MAIN, ...args], {
    env: { ...process.env, ...options.env },
    cwd: options.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // The program may end before it has read all: then the rest has no reader.
  child.stdin.on('error', () => {});
  if (options.stdin === 'open') {
    child.stdin.write('id,');
  } else {
    child.stdin.end(options.stdin);
  }
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
      for (const line of text.split('\n').filter(Boolean)) {
        options.onLine?.(line, child);
      }
    });
  }
  options.onStart?.(child);
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, ...texts }));
  });
}

/** A folder for the tests of a file, removed after the last. */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-e2e-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Arguments of a submit of the digits; later ones win. */
export function submitDigits(outputDir: string, ...more: readonly string[]): string[] {
  const model = ['--model-name', 'digits', '--model-repository', join(DIGITS, 'repository')];
  return ['submit', '--input-file', join(DIGITS, 'digits.csv'), ...model, '--output-dir', outputDir, ...more];
}
