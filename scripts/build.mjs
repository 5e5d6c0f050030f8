/** `npm run build`: compiles `src/` to a clean `dist/`. */
import { chmodSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runTool } from './install.mjs';

export function build() {
  rmSync(fileURLToPath(new URL('../dist', import.meta.url)), { recursive: true, force: true });
  runTool('typescript', ['-p', 'tsconfig.build.json']);
  // npm links the programs from here, and npm alone would make them executable.
  chmodSync(fileURLToPath(new URL('../dist/cli/main.js', import.meta.url)), 0o755);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  build();
}
