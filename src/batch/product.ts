import { readFileSync } from 'node:fs';

const PACKAGE_FILE = new URL('../../package.json', import.meta.url);

function readProduct(): string {
  const { name, version }: { name: string; version: string } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8'));
  return `${name} ${version}`;
}

/** Name and version of this program, as results carry them. */
export const PRODUCT = readProduct();
