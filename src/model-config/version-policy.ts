import { MillraceError } from '../base/errors.ts';
import type { ModelConfigMessage } from './generated/model-config-message.ts';
import type { VersionPolicy } from './model-config.ts';

/**
 * The version policy of a config; the latest version where it gives none.
 * @throws {MillraceError} CONFIG_INVALID for `specific` without versions.
 */
export function resolveVersionPolicy({ version_policy: policy }: ModelConfigMessage): VersionPolicy {
  if (policy?.all !== undefined) {
    return { kind: 'all' };
  }
  if (policy?.specific !== undefined) {
    const versions = policy.specific.versions ?? [];
    if (versions.length === 0) {
      throw new MillraceError('CONFIG_INVALID', 'version_policy.specific of the config names no version');
    }
    return { kind: 'specific', versions };
  }
  // An absent number is the documented default, 1; proto3 cannot tell it from 0.
  return { kind: 'latest', count: policy?.latest?.num_versions ?? 1 };
}
