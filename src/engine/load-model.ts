import { join } from 'node:path';
import type { Backend, InstanceSpec } from '../backend/backend.ts';
import { planInstances } from '../backend/instance-plan.ts';
import type { Clock } from '../base/clock.ts';
import { MillraceError } from '../base/errors.ts';
import { nearestNames, quoteNames } from '../base/nearest-names.ts';
import { createRequestRules } from '../inference/request-rules.ts';
import { autoCompleteConfig } from '../model-config/auto-complete.ts';
import type { ModelConfigMessage } from '../model-config/generated/model-config-message.ts';
import { resolveModelConfig } from '../model-config/resolve-model-config.ts';
import { validateAgainstModel } from '../model-config/validate-against-model.ts';
import { fingerprintModel } from '../repository/fingerprint.ts';
import type { ModelFolder, ModelRepository, ModelVersionFolder } from '../repository/model-repository.ts';
import { createScheduler } from '../scheduler/dynamic-batcher.ts';
import { InstanceSupervisor } from './instance-supervisor.ts';
import { LoadedModel } from './loaded-model.ts';

/** What every load needs. */
export interface LoadContext {
  readonly repository: ModelRepository;
  readonly backends: readonly Backend[];
  readonly clock: Clock;
  /** Cores that the instances of one model may use. */
  readonly cores: number;
  /** max_batch_size of models that can batch and whose config does not say. */
  readonly defaultMaxBatchSize: number;
  /** True: requests with more rows than max_batch_size are divided, whatever the config says. */
  readonly splitOversize: boolean;
  readonly onNotice: (message: string) => void;
}

/**
 * Loads one version of a model: config -> auto-complete from the file -> checks -> instances.
 * @param message config.pbtxt as it was read; undefined where there is none.
 * @throws {MillraceError} with the reason why the version is UNAVAILABLE.
 */
export async function loadModelVersion(
  folder: ModelFolder,
  versionFolder: ModelVersionFolder,
  message: ModelConfigMessage | undefined,
  context: LoadContext,
): Promise<LoadedModel> {
  const backend = chooseBackend(folder, versionFolder, message, context.backends);
  const modelFilename = message?.default_model_filename ?? backend.defaultModelFilename;
  const modelPath = findModelFile(folder, versionFolder, modelFilename);
  const inspection = await backend.inspectModel(modelPath);
  const completed = autoCompleteConfig(message, inspection.signature, {
    modelName: folder.name,
    backend: backend.name,
    maxBatchSize: context.defaultMaxBatchSize,
  });
  const config = resolveModelConfig(completed, {
    modelName: folder.name,
    backend,
    defaultModelFilename: backend.defaultModelFilename,
    labelFiles: await readLabelFiles(folder, completed, context.repository),
  });
  validateAgainstModel(config, inspection.signature);
  const plan = planInstances(config, { cores: context.cores });
  for (const notice of [...inspection.warnings, ...plan.notices]) {
    context.onNotice(`model '${folder.name}' version ${versionFolder.version}: ${notice}`);
  }
  const specs = plan.specs.map((spec): InstanceSpec => ({ ...spec, config, modelPath }));
  const scheduler = createScheduler(config, context.clock);
  const instances = new InstanceSupervisor(backend, scheduler, context.clock, context.onNotice);
  const sha256 = await fingerprintModel(inspection.files);
  await instances.start(specs);
  const rules = createRequestRules(config, inspection.signature.nonTensorOutputs);
  return new LoadedModel(
    {
      version: versionFolder.version,
      config,
      sha256,
      nondeterministicNodes: inspection.nondeterministicNodes,
    },
    context.splitOversize ? { ...rules, splitOversize: true } : rules,
    scheduler,
    instances,
  );
}

/** The backend a config asks for, or else the one whose model file is there. */
function chooseBackend(
  folder: ModelFolder,
  versionFolder: ModelVersionFolder,
  message: ModelConfigMessage | undefined,
  backends: readonly Backend[],
): Backend {
  const { backend: backendName, platform } = message ?? {};
  const named = backends.find(
    ({ name, platforms }) => name === backendName || (platform !== undefined && platforms.includes(platform)),
  );
  if (named !== undefined) {
    return named;
  }
  if (backendName !== undefined || platform !== undefined) {
    const field = backendName === undefined ? `platform '${platform}'` : `backend '${backendName}'`;
    const known = backends.map(({ name }) => name);
    throw new MillraceError(
      'CONFIG_UNSUPPORTED',
      `${folder.configPath}: ${field} is not one that Millrace has, which are ${quoteNames(known)}`,
      { details: { model: folder.name } },
    );
  }
  const [first] = backends;
  const present = backends.find(({ defaultModelFilename }) =>
    versionFolder.entries.includes(defaultModelFilename),
  );
  const chosen = present ?? first;
  if (chosen === undefined) {
    throw new MillraceError('CONFIG_UNSUPPORTED', `no backend is there to load model '${folder.name}'`);
  }
  return chosen;
}

function findModelFile(folder: ModelFolder, { path, entries }: ModelVersionFolder, filename: string): string {
  if (!entries.includes(filename)) {
    const nearest = nearestNames(filename, entries);
    const hint =
      nearest.length > 0 ? `did you mean ${quoteNames(nearest)}?` : `it holds ${quoteNames(entries)}`;
    throw new MillraceError(
      'MODEL_FILE_INVALID',
      `model '${folder.name}' has no file '${filename}' in '${path}': ${hint} Rename the file, or name it in ` +
        'default_model_filename of config.pbtxt',
      { details: { model: folder.name, file: join(path, filename) } },
    );
  }
  return join(path, filename);
}

async function readLabelFiles(
  folder: ModelFolder,
  message: ModelConfigMessage,
  repository: ModelRepository,
): Promise<ReadonlyMap<string, string | undefined>> {
  const texts = new Map<string, string | undefined>();
  for (const { label_filename: file } of message.output ?? []) {
    if (file !== undefined && !texts.has(file)) {
      texts.set(file, await repository.readTextFile(folder, file));
    }
  }
  return texts;
}
