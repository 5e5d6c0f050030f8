/** One version folder of a model: `<model>/<version>/`. */
export interface ModelVersionFolder {
  readonly version: bigint;
  /** Absolute path. */
  readonly path: string;
  /** Names of the files and folders in it, sorted. */
  readonly entries: readonly string[];
}

/** What a repository holds under one model name. Nothing in it is checked yet but the layout. */
export interface ModelFolder {
  readonly name: string;
  /** Absolute path of the model's folder. */
  readonly path: string;
  /** Absolute path of config.pbtxt, whether it is there or not: for messages. */
  readonly configPath: string;
  /** Undefined where there is no config.pbtxt. */
  readonly configText: string | undefined;
  /** Rising by version; never empty. */
  readonly versions: readonly ModelVersionFolder[];
}

/** A place that models are loaded from. */
export interface ModelRepository {
  /**
   * Names of the models, sorted.
   * @throws {MillraceError} REPOSITORY_INVALID when the repository cannot be read.
   */
  listModels(): Promise<readonly string[]>;
  /**
   * @throws {MillraceError} MODEL_NOT_FOUND when there is no such folder, REPOSITORY_INVALID when it has no version
   *   folder or cannot be read.
   */
  readModel(name: string): Promise<ModelFolder>;
  /**
   * Text of a file in the model's folder, such as a label file; undefined when it is not there.
   * @throws {MillraceError} REPOSITORY_INVALID when the path leads out of the model's folder or cannot be read.
   */
  readTextFile(folder: ModelFolder, relativePath: string): Promise<string | undefined>;
}
