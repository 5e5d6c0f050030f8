import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CommandRun, runCommand } from '../run-command.ts';

const SCRIPT = fileURLToPath(new URL('batch32.py', import.meta.url));
const ENVIRONMENT = fileURLToPath(new URL('../.venv/', import.meta.url));
const PYTHON = join(ENVIRONMENT, 'bin', 'python');
const PACKAGES = ['onnxruntime', 'numpy', 'pandas'];
const PRINT_VERSIONS = `import platform, onnxruntime, numpy, pandas
print(f"Python {platform.python_version()}, its onnxruntime {onnxruntime.__version__}, "
      f"numpy {numpy.__version__}, pandas {pandas.__version__}.")`;

/** How the script is run. */
export interface ScriptOptions {
  readonly reader: 'csv' | 'pandas';
  /** Threads of ONNX Runtime; 0 leaves them to it. */
  readonly threads: number;
}

/**
 * A Python with ONNX Runtime and pandas, in a virtual environment that the first call makes.
 * @returns its versions, for the reader; undefined, having said why, where there is no Python or it cannot install them.
 */
export function preparePython(): string | undefined {
  try {
    if (!existsSync(PYTHON)) {
      execFileSync('python3', ['-m', 'venv', ENVIRONMENT], { stdio: 'inherit' });
    }
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES];
    execFileSync(PYTHON, install, { stdio: 'inherit' });
    return execFileSync(PYTHON, ['-c', PRINT_VERSIONS], { encoding: 'utf8' }).trim();
  } catch (error) {
    console.error('  no Python to compare with:', error instanceof Error ? error.message : error);
    return undefined;
  }
}

/** `batch32.py` over a CSV file from start to exit. */
export function runPythonScript(
  folder: string,
  modelPath: string,
  inputFile: string,
  { reader, threads }: ScriptOptions,
): Promise<CommandRun> {
  const outputFile = join(folder, 'python-results.jsonl');
  const options = ['--reader', reader, '--threads', String(threads)];
  return runCommand(PYTHON, [SCRIPT, ...options, modelPath, inputFile, outputFile]);
}
