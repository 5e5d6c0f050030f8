import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CRUISER = `${ROOT}node_modules/dependency-cruiser/bin/dependency-cruise.mjs`;

interface Room {
  readonly imports: readonly string[];
  readonly packages: readonly string[];
}

const { ROOMS } = createRequire(import.meta.url)('../rooms.cjs') as {
  readonly ROOMS: Readonly<Record<string, Room>>;
};

/** Rows of the table under "Rooms" in ARCHITECTURE.md. */
function documentedRooms(): Record<string, Room> {
  const section =
    readFileSync(`${ROOT}ARCHITECTURE.md`, 'utf8').split('## Rooms')[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => /^\| [a-z]/.test(line) && !line.startsWith('| room '));
  const list = (cell: string | undefined): string[] =>
    (cell ?? '')
      .split(',')
      .map((text) => text.trim())
      .filter(Boolean);
  return Object.fromEntries(
    rows.map((row) => {
      const [, name = '', , imports, packages] = row.split('|').map((cell) => cell.trim());
      return [name, { imports: imports === 'everything' ? ['*'] : list(imports), packages: list(packages) }];
    }),
  );
}

it('ARCHITECTURE.md and the import rules give the same table', () => {
  expect(documentedRooms()).toEqual(ROOMS);
});

it('every folder of src is a room', () => {
  const folders = readdirSync(`${ROOT}src`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(folders.sort()).toEqual(Object.keys(ROOMS).sort());
});

it('the import rules see every source file, and none breaks them', () => {
  const report: { modules: { source: string }[]; summary: { violations: unknown[] } } = JSON.parse(
    execFileSync(
      process.execPath,
      [CRUISER, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'],
      { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 },
    ),
  );
  const checked = report.modules.map(({ source }) => source).filter((source) => source.startsWith('src/'));
  const onDisk = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file}`);
  expect(checked.sort()).toEqual(onDisk.sort());
  expect(report.summary.violations).toEqual([]);
});
