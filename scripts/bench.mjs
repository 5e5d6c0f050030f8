/** `npm run bench`: builds the program and measures it. Arguments go to bench/main.ts. */
import { build } from './build.mjs';
import { install, runTool } from './install.mjs';

install();
build();
runTool('tsx', ['bench/main.ts', ...process.argv.slice(2)]);
