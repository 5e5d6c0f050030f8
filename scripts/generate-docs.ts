/**
 * Writes the pages of docs/ that are made from code:
 *
 *     npx tsx scripts/generate-docs.ts
 *
 * A test holds the committed pages against what this makes.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { REASONS } from '../src/base/reasons.ts';

const docsFile = (name: string): string => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));

const cell = (text: string): string => text.replaceAll('|', '\\|');

function errorsPage(): string {
  const rows = Object.entries(REASONS).map(
    ([reason, { code, transient, meaning, fix }]) =>
      `| \`${reason}\` | ${code} | ${transient ? 'yes' : 'no'} | ${cell(meaning)} | ${cell(fix)} |\n`,
  );
  return `# Errors

Every error of Millrace carries one of these reasons. A reason is stable: programs may match on it. The code is Triton's;
a protocol maps it to a status. Batch jobs try again only what may pass on a second try.

This page is made from \`src/base/reasons.ts\` by \`scripts/generate-docs.ts\`.

| Reason | Code | May pass on a second try | When | What to do |
|---|---|---|---|---|
${rows.join('')}`;
}

/** Path and text of every generated page. */
export function generateDocs(): readonly { readonly path: string; readonly text: string }[] {
  return [{ path: docsFile('errors.md'), text: errorsPage() }];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { path, text } of generateDocs()) {
    writeFileSync(path, text);
  }
}
