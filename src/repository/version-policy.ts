import type { VersionPolicy } from '../model-config/model-config.ts';

/**
 * The versions that a policy wants of those there are, rising.
 * @param available rising.
 * @see https://github.com/triton-inference-server/server/blob/main/docs/user_guide/model_configuration.md#version-policy
 */
export function selectVersions(policy: VersionPolicy, available: readonly bigint[]): readonly bigint[] {
  switch (policy.kind) {
    case 'all':
      return available;
    case 'latest':
      return available.slice(Math.max(0, available.length - policy.count));
    case 'specific':
      return available.filter((version) => policy.versions.includes(version));
  }
}
