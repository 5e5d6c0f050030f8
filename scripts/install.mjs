/**
 * Installs the dependencies when they are not there or not those of package-lock.json, so that `npm test` and
 * `npm run demo` work on a fresh clone.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** npm writes this file at the end of every install: what is there, in the form of package-lock.json. */
const INSTALLED = `${root}node_modules/.package-lock.json`;

export function install() {
  if (existsSync(INSTALLED) && isInstalled()) {
    return;
  }
  // Without it the package of ONNX Runtime asks another registry for CUDA libraries; `.npmrc` says the same for npm 11.
  const env = { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' };
  run('npm', ['ci', '--no-audit', '--no-fund'], env);
}

/** True when every package of package-lock.json is there in its version; optional ones are for other machines. */
function isInstalled() {
  const wanted = readPackages(`${root}package-lock.json`);
  const present = readPackages(INSTALLED);
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || (present[path] === undefined ? optional : present[path].version === version),
  );
}

function readPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

/** Runs a command in the root of the project, its output shown; ends this process when it fails. */
export function run(command, args, env = process.env) {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) {
    console.error(
      `failed: ${command} ${args.join(' ')} (${error?.message ?? signal ?? `exit code ${status}`})`,
    );
    process.exit(1);
  }
}

/** Runs a command-line tool of a dependency with this Node. */
export function runTool(packageName, args) {
  const manifest = JSON.parse(readFileSync(`${root}node_modules/${packageName}/package.json`, 'utf8'));
  const bin = typeof manifest.bin === 'string' ? manifest.bin : Object.values(manifest.bin)[0];
  run(process.execPath, [`${root}node_modules/${packageName}/${bin}`, ...args]);
}
