import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';

/** Time between two looks at the memory of a process. */
const SAMPLE_MILLISECONDS = 100;

/** What a finished process used. */
export interface CommandRun {
  /** From start to exit. */
  readonly seconds: number;
  /** Resident memory through the run, at even steps of time; empty where there is no /proc. */
  readonly residentMb: readonly number[];
  /** The most resident memory it ever had; undefined where there is no /proc. */
  readonly peakMb: number | undefined;
}

/** Runs a command to its end. @throws with what it wrote to stderr when it fails. */
export async function runCommand(command: string, args: readonly string[]): Promise<CommandRun> {
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const errors = buffer(child.stderr);
  const residentMb: number[] = [];
  let peakMb: number | undefined;
  const timer = setInterval(() => {
    const memory = readMemory(child.pid);
    if (memory !== undefined) {
      residentMb.push(memory.residentMb);
      peakMb = memory.peakMb;
    }
  }, SAMPLE_MILLISECONDS);
  const [exitCode] = await once(child, 'exit').finally(() => clearInterval(timer));
  const seconds = (performance.now() - start) / 1000;
  if (exitCode !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended with ${exitCode}: ${await errors}`);
  }
  return { seconds, residentMb, peakMb };
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
function readMemory(pid: number | undefined): { residentMb: number; peakMb: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return { residentMb: readMb(status, 'VmRSS'), peakMb: readMb(status, 'VmHWM') };
  } catch {
    return undefined;
  }
}

function readMb(status: string, field: string): number {
  const [, kilobytes] = new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status) ?? [];
  if (kilobytes === undefined) {
    throw new Error(`the process has no ${field}: it has ended`);
  }
  return Number(kilobytes) / 1024;
}
