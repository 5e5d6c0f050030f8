import { MillraceError, toMillraceError } from '../base/errors.ts';
import { parseModelConfig } from '../model-config/model-config-text.ts';
import { resolveVersionPolicy } from '../model-config/version-policy.ts';
import { selectVersions } from '../repository/version-policy.ts';
import { type LoadContext, loadModelVersion } from './load-model.ts';
import type { LoadedModel } from './loaded-model.ts';
import type { ModelIndexEntry, ModelState } from './model-state.ts';

interface VersionStatus {
  readonly state: ModelState;
  readonly reason: string;
}

/**
 * One model through its life, each version by itself:
 *
 *     LOADING -> READY -> UNLOADING -> UNAVAILABLE
 *        \-> UNAVAILABLE (with the reason)
 *
 * Loads and unloads of one model follow each other, never overlap. A version that is being loaded anew stays READY with
 * what it had until the new one is there.
 */
export class ModelLifecycle {
  readonly #name: string;
  readonly #context: LoadContext;
  readonly #ready = new Map<bigint, LoadedModel>();
  readonly #statuses = new Map<bigint, VersionStatus>();
  /** Why the model as a whole could not be read. */
  #failure: MillraceError | undefined;
  #latest: LoadedModel | undefined;
  #lastOperation: Promise<void> = Promise.resolve();

  constructor(name: string, context: LoadContext) {
    this.#name = name;
    this.#context = context;
  }

  /** @throws {MillraceError} with the reason when no version could be loaded. */
  load(): Promise<void> {
    return this.#afterLast(() => this.#load());
  }

  unload(): Promise<void> {
    return this.#afterLast(() => this.#retire([...this.#ready.keys()], 'unloaded'));
  }

  /** @throws {MillraceError} MODEL_NOT_READY, MODEL_VERSION_NOT_FOUND. */
  find(version: bigint | undefined): LoadedModel {
    const model = version === undefined ? this.#latest : this.#ready.get(version);
    if (model !== undefined) {
      return model;
    }
    const status = version === undefined ? [...this.#statuses.values()].at(-1) : this.#statuses.get(version);
    if (version !== undefined && status === undefined && this.#failure === undefined) {
      throw new MillraceError(
        'MODEL_VERSION_NOT_FOUND',
        `Request for unknown model: '${this.#name}' version ${version} is not found, ready are ` +
          `${[...this.#ready.keys()].join(', ') || 'none'}`,
        { details: { model: this.#name, version: String(version) } },
      );
    }
    const reason = this.#failure?.message ?? status?.reason ?? '';
    throw new MillraceError(
      'MODEL_NOT_READY',
      `model '${this.#name}' is not ready: ${status?.state ?? 'UNAVAILABLE'}${reason === '' ? '' : `, ${reason}`}`,
      { details: { model: this.#name } },
    );
  }

  index(): readonly ModelIndexEntry[] {
    const versions = [...this.#statuses].map(([version, { state, reason }]) => ({
      name: this.#name,
      version,
      state,
      reason,
    }));
    if (this.#failure === undefined) {
      return versions;
    }
    return versions.length > 0
      ? versions
      : [{ name: this.#name, version: undefined, state: 'UNAVAILABLE', reason: this.#failure.message }];
  }

  async #load(): Promise<void> {
    this.#failure = undefined;
    try {
      const folder = await this.#context.repository.readModel(this.#name);
      const message =
        folder.configText === undefined ? undefined : parseModelConfig(folder.configText, folder.configPath);
      const policy = resolveVersionPolicy(message ?? {});
      const wanted = selectVersions(
        policy,
        folder.versions.map(({ version }) => version),
      );
      if (wanted.length === 0) {
        throw new MillraceError(
          'REPOSITORY_INVALID',
          `version_policy of model '${this.#name}' wants none of the versions there are: ` +
            folder.versions.map(({ version }) => version).join(', '),
        );
      }
      const failures: MillraceError[] = [];
      for (const versionFolder of folder.versions.filter(({ version }) => wanted.includes(version))) {
        const failure = await this.#loadVersion(versionFolder.version, () =>
          loadModelVersion(folder, versionFolder, message, this.#context),
        );
        failures.push(...(failure === undefined ? [] : [failure]));
      }
      const [firstFailure] = failures;
      if (firstFailure !== undefined && failures.length === wanted.length) {
        throw firstFailure;
      }
      await this.#retire(
        [...this.#ready.keys()].filter((version) => !wanted.includes(version)),
        'not wanted by the version policy any more',
      );
    } catch (error) {
      this.#failure = toMillraceError(error, `model '${this.#name}' could not be loaded`);
      throw this.#failure;
    }
  }

  /** @returns why it failed; undefined when it is ready. */
  async #loadVersion(version: bigint, load: () => Promise<LoadedModel>): Promise<MillraceError | undefined> {
    const previous = this.#ready.get(version);
    if (previous === undefined) {
      this.#statuses.set(version, { state: 'LOADING', reason: '' });
    }
    try {
      this.#ready.set(version, await load());
      this.#statuses.set(version, { state: 'READY', reason: '' });
      this.#chooseLatest();
      await previous?.close();
      return undefined;
    } catch (error) {
      const failure = toMillraceError(error, `model '${this.#name}' version ${version} could not be loaded`);
      this.#statuses.set(
        version,
        previous === undefined
          ? { state: 'UNAVAILABLE', reason: failure.message }
          : {
              state: 'READY',
              reason: `an earlier load is served, since the last one failed: ${failure.message}`,
            },
      );
      return failure;
    }
  }

  async #retire(versions: readonly bigint[], reason: string): Promise<void> {
    const retired = versions.flatMap((version) => this.#ready.get(version) ?? []);
    for (const version of versions) {
      this.#ready.delete(version);
      this.#statuses.set(version, { state: 'UNLOADING', reason: '' });
    }
    this.#chooseLatest();
    await Promise.all(retired.map((model) => model.close()));
    for (const version of versions) {
      this.#statuses.set(version, { state: 'UNAVAILABLE', reason });
    }
  }

  #chooseLatest(): void {
    let latest: bigint | undefined;
    for (const version of this.#ready.keys()) {
      latest = latest === undefined || version > latest ? version : latest;
    }
    this.#latest = latest === undefined ? undefined : this.#ready.get(latest);
  }

  #afterLast(operation: () => Promise<void>): Promise<void> {
    const result = this.#lastOperation.then(operation);
    this.#lastOperation = result.catch(() => {});
    return result;
  }
}
