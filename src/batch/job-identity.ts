import { createHash } from 'node:crypto';
import { MillraceError } from '../base/errors.ts';
import type { JobFile, JobIdentity } from './manifest.ts';

/** Tells jobs apart: the same job has the same, in hex. */
export function hashIdentity(identity: JobIdentity): string {
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
}

/** An id for a job that was given none. */
export function makeJobId(identity: JobIdentity): string {
  return `job_${hashIdentity(identity)}`;
}

/**
 * Holds what is asked for against the job that the output directory belongs to.
 * @throws {MillraceError} JOB_MISMATCH naming each difference.
 */
export function checkSameJob(
  existing: JobFile,
  identity: JobIdentity,
  jobId: string | undefined,
  outputDir: string,
): void {
  const differences = listDifferences(existing.identity, identity);
  if (jobId !== undefined && jobId !== existing.job_id) {
    differences.unshift(`job_id: '${existing.job_id}' there, '${jobId}' now`);
  }
  if (differences.length > 0) {
    throw new MillraceError(
      'JOB_MISMATCH',
      `'${outputDir}' belongs to another job, '${existing.job_id}' over '${existing.input_name}'. What differs: ` +
        `${differences.join('; ')}. Take a new --output-dir, or run with what that job was started with`,
      { details: { jobId: existing.job_id, differences } },
    );
  }
}

function listDifferences(there: JobIdentity, now: JobIdentity): string[] {
  const flatThere = flatten('', there);
  const flatNow = flatten('', now);
  const keys = [...new Set([...flatThere.keys(), ...flatNow.keys()])];
  return keys
    .filter((key) => flatThere.get(key) !== flatNow.get(key))
    .map((key) => `${key}: ${flatThere.get(key) ?? 'none'} there, ${flatNow.get(key) ?? 'none'} now`);
}

/** Leaves of a value by path; lists count as leaves. */
function flatten(path: string, value: unknown): Map<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Map([[path, JSON.stringify(value)]]);
  }
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [
      ...flatten(path === '' ? key : `${path}.${key}`, inner),
    ]),
  );
}
