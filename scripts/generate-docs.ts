/**
 * Writes the pages of docs/ that are made from code:
 *
 *     npx tsx scripts/generate-docs.ts
 *
 * A test holds the committed pages against what this makes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { REASONS } from '../src/base/reasons.ts';
import { COMMANDS } from '../src/cli/create-program.ts';
import { SUBMIT_OPTIONS } from '../src/config/batch-options.ts';
import { fieldName, flagName, type OptionTable, variableName } from '../src/config/option.ts';

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

function optionRows(options: OptionTable): string {
  return Object.entries(options)
    .map(([key, { kind, placeholder, description, defaultText, aliases }]) => {
      const names = [flagName(key), ...aliases].map(
        (name) => `\`${name}${kind === 'flag' ? '' : ` <${placeholder}>`}\``,
      );
      const fallback = kind === 'flag' ? 'off' : (defaultText ?? 'required');
      return `| ${cell(names.join(', '))} | \`${variableName(key)}\` | ${cell(description)} | ${cell(fallback)} |\n`;
    })
    .join('');
}

function configurationPage(): string {
  const sections = COMMANDS.map(
    ({ name, summary, options }) => `## millrace ${name}

${summary[0]?.toUpperCase()}${summary.slice(1)}.

| Flag | Environment | Meaning | Default |
|---|---|---|---|
${optionRows(options)}`,
  );
  return `# Configuration

Every option is a flag, an environment variable, and for \`submit\` also a field of a job file (\`--job-file\`, JSON, by
[schema/job.schema.json](schema/job.schema.json); the field of \`--input-file\` is \`input_file\`). A flag comes before the
variable, the variable before the file. Relative paths in a job file start from its own folder.

\`--verbose\`, with any command, prints with an error what caused it.

This page is made from \`src/config/batch-options.ts\` by \`scripts/generate-docs.ts\`.

${sections.join('\n')}`;
}

/** JSON Schema of a job file. What is required may also come from a flag or a variable, so that no field is. */
function jobSchema(): string {
  const fields = Object.entries(SUBMIT_OPTIONS).map(([key, spec]) => [
    fieldName(key),
    spec.schema.meta({
      description: `${spec.description}${spec.defaultText === undefined ? '' : ` (default: ${spec.defaultText})`}`,
    }),
  ]);
  const schema = z
    .strictObject({ $schema: z.string().optional(), ...Object.fromEntries(fields) })
    .partial()
    .meta({ title: 'Millrace job file', description: 'The options of millrace submit' });
  return `${JSON.stringify(z.toJSONSchema(schema, { io: 'input' }), undefined, 2)}\n`;
}

/** Path and text of every generated page. */
export function generateDocs(): readonly { readonly path: string; readonly text: string }[] {
  return [
    { path: docsFile('errors.md'), text: errorsPage() },
    { path: docsFile('configuration.md'), text: configurationPage() },
    { path: docsFile('schema/job.schema.json'), text: jobSchema() },
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { path, text } of generateDocs()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
