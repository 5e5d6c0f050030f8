import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../base/testing/manual-clock.ts';
import { fieldName, flagName, variableName } from '../config/option.ts';
import { COMMANDS, createProgram } from './create-program.ts';

async function readHelp(program: string, ...args: string[]): Promise<string> {
  const stdout = Object.assign(new PassThrough({ encoding: 'utf8' }), { fd: 1 as const });
  let text = '';
  stdout.on('data', (chunk: string) => {
    text += chunk;
  });
  const write = (chunk: string): boolean => stdout.write(chunk);
  const context = {
    program,
    args,
    cwd: '/',
    environment: {},
    stdout: Object.assign(Object.create(process.stdout), { write }),
    stderr: process.stderr,
    clock: new ManualClock(),
  };
  await expect(
    createProgram(context, '1.2.3', () => {}).parseAsync([...args, '--help'], { from: 'user' }),
  ).rejects.toMatchObject({ exitCode: 0 });
  return text.replaceAll(/\s+/g, ' ');
}

describe.each(COMMANDS.map((command) => [command.name, command] as const))(
  '%s --help',
  (name, { options }) => {
    it('lists each option with its default and its environment variable', async () => {
      const help = await readHelp('millrace', name);
      for (const [key, { kind, description, defaultText }] of Object.entries(options)) {
        const fallback =
          kind === 'flag' ? '' : defaultText === undefined ? 'required, ' : `default: ${defaultText}, `;
        expect(help).toContain(`${flagName(key)} `);
        expect(help).toContain(`${description} (${fallback}env: ${variableName(key)})`);
      }
    });

    it('names the program as it was called', async () => {
      expect(await readHelp('batch-orc', name)).toContain(`Usage: batch-orc ${name}`);
    });
  },
);

it('options with one name have one meaning in every command', () => {
  const kinds = new Map<string, string>();
  for (const { options } of COMMANDS) {
    for (const [key, { kind, placeholder }] of Object.entries(options)) {
      const known = kinds.get(fieldName(key)) ?? `${kind} ${placeholder}`;
      expect(`${kind} ${placeholder}`).toBe(known);
      kinds.set(fieldName(key), known);
    }
  }
});
