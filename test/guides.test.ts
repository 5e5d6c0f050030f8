import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'millrace-guides-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A place that looks like the root of the repository after a build, with the program on the path. */
beforeAll(() => {
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    join(folder, 'bin/millrace'),
    `#!/bin/sh\nexec '${process.execPath}' '${ROOT}dist/cli/main.js' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/millrace'));
});

/** The fenced blocks of a language in a page. */
function readBlocks(page: string, language: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, block = '']) => block,
  );
}

describe('docs/guides/batch-jobs.md', () => {
  it.each(readBlocks('docs/guides/batch-jobs.md', 'sh').map((block) => [block]))('runs %s', (block) => {
    const env = { ...process.env, PATH: `${folder}/bin:${process.env.PATH}` };
    // `sh -e` fails with the first command that does.
    expect(
      execFileSync('sh', ['-e', '-c', block], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' }),
    ).not.toBe('');
  });

  it('shows a result as it is', () => {
    const [shown = ''] = readBlocks('docs/guides/batch-jobs.md', 'json');
    const [first = ''] = readFileSync(join(folder, 'out/results.jsonl'), 'utf8').split('\n');
    const { outputs, ...rest } = JSON.parse(shown);
    const { outputs: realOutputs, ...realRest } = JSON.parse(first);
    expect(rest).toEqual(realRest);
    expect(outputs.label).toBe(realOutputs.label);
    expect(outputs.probabilities).toEqual(realOutputs.probabilities.slice(0, 2));
  });
});

it('docs/guides/engine.md: the example runs', () => {
  const [block = ''] = readBlocks('docs/guides/engine.md', 'js');
  writeFileSync(join(folder, 'example.mjs'), block);
  const printed = execFileSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(printed).toMatch(/^\d+n 1\n$/);
});

/** Times and rates differ from run to run. */
const withoutFigures = (text: string): string =>
  text.replaceAll(
    /in [\d.]+ s, [\d,]+ rows\/s, mean batch size [\d.]+/g,
    'in # s, # rows/s, mean batch size #',
  );

it('README.md shows what the demo prints', () => {
  const shown =
    /<!-- demo -->\n```\n(.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '';
  const commands = [...shown.matchAll(/^\$ (millrace .*)$/gm)].map(([, command = '']) => command);
  expect(commands).toHaveLength(2);
  const env = { ...process.env, PATH: `${folder}/bin:${process.env.PATH}` };
  const printed = commands.map((command) =>
    execFileSync('sh', ['-c', `${command} 2>&1`], { cwd: folder, env, encoding: 'utf8' }).replaceAll(
      `${folder}/`,
      '',
    ),
  );
  for (const text of printed) {
    expect(withoutFigures(shown)).toContain(withoutFigures(text));
  }
});
