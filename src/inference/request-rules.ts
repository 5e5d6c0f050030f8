import type { ModelConfig, OutputSpec } from '../model-config/model-config.ts';

/** What requests to one model are held against, prepared once so that the check of each request is cheap. */
export interface RequestRules {
  readonly config: ModelConfig;
  /** The tensor outputs of the config, by name. */
  readonly outputs: ReadonlyMap<string, OutputSpec>;
  /** Names of all tensor outputs, in the order of the config. */
  readonly outputNames: readonly string[];
  /** Outputs of the model file that are no tensors: known, but not to be had. */
  readonly nonTensorOutputs: readonly string[];
  /** A request with more rows than max_batch_size is divided and put together again instead of refused. */
  readonly splitOversize: boolean;
}

/** Name of the config's parameter that allows requests larger than max_batch_size. */
const SPLIT_OVERSIZE = 'split_oversize';

/** @param nonTensorOutputs from the signature of the model file. */
export function createRequestRules(config: ModelConfig, nonTensorOutputs: readonly string[]): RequestRules {
  return {
    config,
    outputs: new Map(config.outputs.map((output) => [output.name, output])),
    outputNames: config.outputs.map(({ name }) => name),
    nonTensorOutputs,
    splitOversize: config.parameters.get(SPLIT_OVERSIZE)?.toLowerCase() === 'true',
  };
}
