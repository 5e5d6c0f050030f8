/** `npm test`: everything that must hold before a change is merged. Arguments go to vitest. */
import { install, runTool } from './install.mjs';

install();
console.log('lint');
runTool('@biomejs/biome', ['check', '--error-on-warnings']);
console.log('types');
runTool('typescript', ['-p', 'tsconfig.json']);
console.log('import rules');
runTool('dependency-cruiser', ['--config', '.dependency-cruiser.cjs', 'src']);
console.log('unused code');
runTool('knip', []);
console.log('tests');
runTool('vitest', ['run', ...process.argv.slice(2)]);
