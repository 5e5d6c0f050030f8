import { MillraceError } from '../base/errors.ts';
import type { ModelConfigMessage } from './generated/model-config-message.ts';
import type { VersionPolicy } from './model-config.ts';

/**
 * The version policy of a config; the latest version where it gives none.
 * @throws {MillraceError} CONFIG_INVALID for `latest { num_versions: 0 }` and `specific` without versions.
 */
export function resolveVersionPolicy({ version_policy: policy, name }: ModelConfigMessage): VersionPolicy {
  if (policy?.all !== undefined) {
    return { kind: 'all' };
  }
  if (policy?.specific !== undefined) {
    const versions = policy.specific.versions ?? [];
    if (versions.length === 0) {
      throw new MillraceError(
        'CONFIG_INVALID',
        `version_policy.specific of model '${name}' names no version`,
      );
    }
    return { kind: 'specific', versions };
  }
  const count = policy?.latest?.num_versions ?? 0;
  if (policy?.latest !== undefined && count === 0) {
    throw new MillraceError(
      'CONFIG_INVALID',
      `version_policy.latest.num_versions of model '${name}' must be at least 1`,
    );
  }
  return { kind: 'latest', count: Math.max(1, count) };
}
