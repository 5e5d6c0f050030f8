import type { Clock } from '../base/clock.ts';

/** What a command has of the world around it. */
export interface CommandContext {
  /** The program as it was called: `millrace` or `batch-orc`. */
  readonly program: string;
  /** What it was called with. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly clock: Clock;
}
