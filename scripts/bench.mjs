/** `npm run bench`: builds the program and measures it. Arguments go to bench/main.ts. */
import { install, runTool } from './install.mjs';

install();
runTool('typescript', ['-p', 'tsconfig.build.json']);
runTool('tsx', ['bench/main.ts', ...process.argv.slice(2)]);
