/** Triton's eight error codes (`TRITONSERVER_error_code_enum`). */
export type ErrorCode =
  | 'UNKNOWN'
  | 'INTERNAL'
  | 'NOT_FOUND'
  | 'INVALID_ARG'
  | 'UNAVAILABLE'
  | 'UNSUPPORTED'
  | 'ALREADY_EXISTS'
  | 'CANCELLED';

interface ReasonFacts {
  readonly code: ErrorCode;
  /** True when the same call may succeed later unchanged: only these are retried by a batch job. */
  readonly transient: boolean;
  /** When it is raised. Printed in docs/errors.md. */
  readonly meaning: string;
  /** What the reader can do. Printed in docs/errors.md. */
  readonly fix: string;
}

const permanent = (code: ErrorCode, meaning: string, fix: string): ReasonFacts => ({
  code,
  transient: false,
  meaning,
  fix,
});

const transient = (code: ErrorCode, meaning: string, fix: string): ReasonFacts => ({
  code,
  transient: true,
  meaning,
  fix,
});

/**
 * Every reason an error of Millrace can carry, in one table. `docs/errors.md` is made from it.
 * A reason is a promise: once published, its name and code do not change.
 */
export const REASONS = {
  // What a request can be wrong about.
  MODEL_NOT_FOUND: permanent(
    'NOT_FOUND',
    'No model of that name is in the repository, or it was never loaded.',
    'Check the name against the folders of the model repository; the message lists the nearest ones.',
  ),
  MODEL_VERSION_NOT_FOUND: permanent(
    'NOT_FOUND',
    'The model is there, the version asked for is not loaded.',
    'Ask for a loaded version, or change `version_policy` in config.pbtxt.',
  ),
  MODEL_NOT_READY: transient(
    'UNAVAILABLE',
    'The model is loading, unloading, or failed to load.',
    'Wait until it is ready; when the load failed, the message carries the reason.',
  ),
  INPUT_MISSING: permanent(
    'INVALID_ARG',
    'A request lacks an input that the model needs.',
    'Send every input that is not marked optional.',
  ),
  INPUT_UNKNOWN: permanent(
    'INVALID_ARG',
    'A request has an input that the model does not know.',
    'Remove it or correct its name; the message lists the inputs of the model.',
  ),
  OUTPUT_UNKNOWN: permanent(
    'INVALID_ARG',
    'A request asks for an output that the model does not have.',
    'Correct the name; the message lists the outputs of the model.',
  ),
  OUTPUT_REPEATED: permanent(
    'INVALID_ARG',
    'A request names one output twice.',
    'Ask for each output once, or name none to get them all.',
  ),
  OUTPUT_NOT_TENSOR: permanent(
    'UNSUPPORTED',
    'An output of the model is a sequence or a map, which no protocol of the field can carry.',
    'Export the model without it (skl2onnx: `options={"zipmap": False}`), or ask for its tensor outputs only.',
  ),
  DATATYPE_MISMATCH: permanent(
    'INVALID_ARG',
    'A tensor has another datatype than the model declares.',
    'Send the datatype that the message names.',
  ),
  SHAPE_MISMATCH: permanent(
    'INVALID_ARG',
    'A tensor has a shape that the model does not take.',
    'Send the shape that the message names; a batching model wants a leading batch dimension.',
  ),
  TENSOR_INVALID: permanent(
    'INVALID_ARG',
    'The data of a tensor does not fit its own shape or datatype: wrong number of elements, value out of range.',
    'Correct the element or length that the message names.',
  ),
  BATCH_TOO_LARGE: permanent(
    'INVALID_ARG',
    'A request has more rows than `max_batch_size`.',
    'Send fewer rows at once, raise `max_batch_size`, or set the model parameter `split_oversize`.',
  ),
  PARAMETER_INVALID: permanent(
    'INVALID_ARG',
    'A request parameter has the wrong type or lies outside its range.',
    'Correct the parameter that the message names.',
  ),

  // What happens to a request that was right.
  QUEUE_FULL: transient(
    'UNAVAILABLE',
    'The queue of the model holds `max_queue_size` requests.',
    'Send later or slower, add instances, or raise `max_queue_size`.',
  ),
  REQUEST_TIMEOUT: transient(
    'UNAVAILABLE',
    'The request waited in the queue longer than its timeout and was never executed.',
    'Send slower, add instances, or allow a longer timeout.',
  ),
  REQUEST_CANCELLED: permanent(
    'CANCELLED',
    'The caller gave the request up before it was executed.',
    'Nothing: the caller asked for it.',
  ),
  EXECUTION_FAILED: permanent(
    'INVALID_ARG',
    'The runtime refused or failed this request when it ran alone.',
    'The message is the runtime’s own: usually a value that the graph cannot take, such as an index out of range.',
  ),
  OUTPUT_BATCH_MISMATCH: permanent(
    'INTERNAL',
    'An output does not have one row for each row of the batch, so it cannot be given back to the callers.',
    'The model is not batchable as it is: set `max_batch_size: 0`, or export it with a batch dimension.',
  ),
  OUTPUT_INVALID: permanent(
    'INTERNAL',
    'A reply lacks an output, or has one of another datatype or shape than the model declares.',
    'Correct the outputs in config.pbtxt, or the server that answered.',
  ),
  INSTANCE_FAILED: transient(
    'UNAVAILABLE',
    'The model instance that ran the request died; a new one takes its place.',
    'Send again. If it happens with the same input each time, that input makes the runtime crash.',
  ),
  SHUTTING_DOWN: transient(
    'UNAVAILABLE',
    'The engine or the model is being shut down and takes no new requests.',
    'Send to another server, or after the restart.',
  ),

  // What a model or its config can be wrong about.
  REPOSITORY_INVALID: permanent(
    'INVALID_ARG',
    'The model repository, or a model folder in it, cannot be read or has no model in it.',
    'Lay it out as `<repository>/<model>/<version>/model.onnx`.',
  ),
  CONFIG_SYNTAX: permanent(
    'INVALID_ARG',
    'config.pbtxt is not what protobuf’s text format accepts, or has a field that ModelConfig lacks.',
    'Correct the token at the line and column that the message names.',
  ),
  CONFIG_INVALID: permanent(
    'INVALID_ARG',
    'config.pbtxt can be read, but contradicts itself or the rules of Triton.',
    'Correct the field that the message names.',
  ),
  CONFIG_MODEL_MISMATCH: permanent(
    'INVALID_ARG',
    'config.pbtxt contradicts the model file: another name, datatype or shape.',
    'Correct the tensor that the message names, or leave it out: it is then taken from the model.',
  ),
  CONFIG_UNSUPPORTED: permanent(
    'UNSUPPORTED',
    'config.pbtxt asks for something that Triton has and Millrace does not.',
    'Remove the field that the message names, or serve this model with Triton.',
  ),
  MODEL_FILE_INVALID: permanent(
    'INVALID_ARG',
    'The model file is missing, cut short, or is not an ONNX model.',
    'Export or copy the file again; the message says what was found.',
  ),
  MODEL_UNSUPPORTED: permanent(
    'UNSUPPORTED',
    'The model needs an opset, IR version, operator or datatype that this ONNX Runtime does not have.',
    'Export with the version that the message names.',
  ),
  MODEL_LOAD_FAILED: permanent(
    'UNAVAILABLE',
    'ONNX Runtime could not make a session of the model.',
    'The message is the runtime’s own.',
  ),
  PROVIDER_UNAVAILABLE: permanent(
    'UNAVAILABLE',
    'The config asks for an execution provider (CUDA, TensorRT ...) that cannot start on this machine.',
    'Install what the provider’s own reason names, or ask for KIND_CPU.',
  ),

  // What a batch job can be wrong about.
  USAGE: permanent(
    'INVALID_ARG',
    'The command line, an environment variable or a config file is wrong.',
    'See `millrace <command> --help`; the message names the flag and what it takes.',
  ),
  INPUT_UNREADABLE: permanent(
    'INVALID_ARG',
    'The input file cannot be opened or decoded.',
    'Correct the path, the permissions, or say `--input-format` and `--encoding`.',
  ),
  MAPPING_INVALID: permanent(
    'INVALID_ARG',
    'The columns of the input file do not give the inputs of the model.',
    'Name the columns with `--map`; the message lists the nearest names.',
  ),
  ROW_INVALID: permanent(
    'INVALID_ARG',
    'A row cannot be read or does not give a tensor: broken JSON, wrong number of fields, not a number.',
    'Correct the row; the line number is in errors.jsonl. `--retry-failed` then runs it alone.',
  ),
  ID_DUPLICATE: permanent(
    'ALREADY_EXISTS',
    'Two rows of the input have the same id.',
    'Make the ids unique, take another `--id-column`, or say `--allow-duplicate-ids`.',
  ),
  JOB_MISMATCH: permanent(
    'ALREADY_EXISTS',
    'The output directory belongs to a job of another input, model, mapping or option.',
    'Take a new `--output-dir`, or run with what the job was started with.',
  ),
  JOB_LOCKED: transient(
    'ALREADY_EXISTS',
    'Another process is running the job of this output directory.',
    'Wait for it, or stop the process that the message names.',
  ),
  JOB_NOT_FOUND: permanent(
    'NOT_FOUND',
    'The directory holds no batch job.',
    'Give the `--output-dir` of a `millrace submit`.',
  ),
  OUTPUT_CORRUPT: permanent(
    'INTERNAL',
    'A file of the output directory is missing, cut short, or has another checksum than the manifest says.',
    'Run the same `millrace submit` again: only what is damaged is done anew.',
  ),
  OUTPUT_UNWRITABLE: permanent(
    'UNAVAILABLE',
    'The output directory cannot be written: permissions, or no space left.',
    'Free space or correct the path, then run the same command again: it continues.',
  ),
  TOO_MANY_ERRORS: permanent(
    'INTERNAL',
    'More rows failed than `--max-errors` allows; the job stopped early.',
    'Look at errors.jsonl, then run the same command with a larger `--max-errors` to go on.',
  ),
  SHARD_TIMEOUT: permanent(
    'UNAVAILABLE',
    'A shard took longer than `--timeout`; its unfinished rows are errors.',
    'Raise `--timeout` or lower `--shard-rows`, then run with `--retry-failed`.',
  ),
  RESPONSE_INVALID: permanent(
    'INTERNAL',
    'A server answered with success, but not with the rows and outputs that were asked for.',
    'Look at the server or at a proxy before it.',
  ),

  INTERNAL_ERROR: permanent(
    'INTERNAL',
    'Something that Millrace did not foresee.',
    'Please report it with the log.',
  ),
} as const satisfies Record<string, ReasonFacts>;

/** The stable name of a kind of failure. */
export type Reason = keyof typeof REASONS;
