import type { JobOptions } from '../batch/job-options.ts';
import {
  choiceOption,
  flagOption,
  integerOption,
  listOption,
  type OptionValues,
  repeatedOption,
  requiredText,
  textOption,
} from './option.ts';

const DEFAULT_BATCH_SIZE = 32;
const DEFAULT_MAX_RETRIES = 3;

const INPUT_OPTIONS = {
  inputFile: requiredText({
    placeholder: 'path',
    description: 'CSV or JSON Lines, plain or gzip; - is stdin',
    aliases: ['--input-csv'],
  }),
  inputFormat: choiceOption(['csv', 'jsonl'], {
    description: 'how the input is written',
    defaultText: 'by its name, then by its first character',
  }),
  encoding: textOption({
    description: 'encoding of the input, as in the WHATWG standard: latin1, utf-16le ...',
    defaultText: 'utf-8, or what a byte order mark says',
  }),
  delimiter: textOption({
    placeholder: 'character',
    description: 'what separates the columns of a CSV file',
    defaultText: 'found in the header',
  }),
} as const;

const MODEL_OPTIONS = {
  modelRepository: requiredText({
    placeholder: 'folder',
    description: 'model repository in the layout of Triton',
  }),
} as const;

const REPORT_OPTIONS = {
  quiet: flagOption({ description: 'print nothing but errors' }),
  json: flagOption({ description: 'print JSON, one object a line, instead of text' }),
} as const;

/** Options of `millrace submit`, and the fields of a job file. */
export const SUBMIT_OPTIONS = {
  ...INPUT_OPTIONS,
  ...MODEL_OPTIONS,
  modelName: requiredText({ placeholder: 'name', description: 'model to run' }),
  modelVersion: integerOption(1, {
    description: 'version of the model',
    defaultText: 'the highest that is ready',
  }),
  outputDir: requiredText({
    placeholder: 'folder',
    description: 'where results go; the only state of the job',
  }),
  outputFormat: choiceOption(['jsonl', 'csv', 'npy'], {
    description: 'how results are written',
    defaultText: 'jsonl',
  }),
  map: repeatedOption({
    placeholder: 'input=columns',
    description:
      "where an input of the model comes from: 'x=column', 'x=a,b,c', 'x=p0..p63', or 'image=@path_column'; repeatable",
    defaultText: 'the column of its name, else the one range of numbered columns that fits',
  }),
  idColumn: textOption({
    placeholder: 'column',
    description: 'column with the id of each row',
    defaultText: 'rec_00000, rec_00001 ... by row number',
  }),
  keep: listOption({
    description: 'columns to copy into each result, separated by commas',
    defaultText: 'none',
  }),
  outputs: listOption({
    description: 'outputs of the model to write, separated by commas',
    defaultText: 'all',
  }),
  batchSize: integerOption(1, {
    description: 'rows in one request to the model',
    defaultText: String(DEFAULT_BATCH_SIZE),
  }),
  shardRows: integerOption(1, {
    description: 'rows that are recorded, and after a crash done again, together',
    defaultText: '512 to 8192, by the size of the input',
  }),
  concurrency: integerOption(1, { description: 'requests in flight at once', defaultText: '4 a core' }),
  timeout: integerOption(1, {
    placeholder: 'seconds',
    description: 'longest time for a shard; rows that are not through then are errors',
    defaultText: 'none',
  }),
  maxRetries: integerOption(0, {
    description: 'further tries of a request that failed for a reason that may pass',
    defaultText: String(DEFAULT_MAX_RETRIES),
  }),
  maxErrors: integerOption(0, {
    description: 'stop when more rows than this have failed',
    defaultText: 'never',
  }),
  resumeFrom: integerOption(0, {
    placeholder: 'row',
    description: 'first row to run, counted from 0',
    defaultText: '0, or where the output directory has got to',
  }),
  retryFailed: flagOption({ description: 'run the rows of errors.jsonl again and put them in their places' }),
  allowDuplicateIds: flagOption({ description: 'take an input in which an id stands twice' }),
  allowNonFinite: flagOption({ description: 'take NaN and infinities in the input as values' }),
  jobId: textOption({
    placeholder: 'id',
    description: 'name of the job',
    defaultText: 'made from what it computes',
  }),
  progressCallbackUrl: textOption({
    placeholder: 'url',
    description: 'gets the progress as JSON posts',
    defaultText: 'none',
  }),
  ...REPORT_OPTIONS,
} as const;

/** Options of `millrace verify`. How the input is written is what the job was told. */
export const VERIFY_OPTIONS = {
  inputFile: INPUT_OPTIONS.inputFile,
  outputDir: requiredText({ placeholder: 'folder', description: 'the results to verify' }),
  expectedCount: integerOption(0, {
    description: 'rows that the results must have',
    defaultText: 'as many as the input has',
  }),
  allowNonFinite: flagOption({ description: 'take NaN and infinities in the results' }),
  recompute: integerOption(0, {
    description: 'rows to run again and compare; needs --model-repository',
    defaultText: '0',
  }),
  modelRepository: textOption({
    placeholder: 'folder',
    description: 'model repository, for --recompute',
    defaultText: 'none',
  }),
  ...REPORT_OPTIONS,
} as const;

/** Options of `millrace status`. */
export const STATUS_OPTIONS = {
  outputDir: requiredText({ placeholder: 'folder', description: 'the results of a job, finished or not' }),
  json: REPORT_OPTIONS.json,
} as const;

/** What `submit` was asked for, as the batch job takes it. */
export function toJobOptions(values: OptionValues<typeof SUBMIT_OPTIONS>): JobOptions {
  return {
    inputFile: values.inputFile,
    inputFormat: values.inputFormat,
    encoding: values.encoding,
    delimiter: values.delimiter === '\\t' ? '\t' : values.delimiter,
    outputDir: values.outputDir,
    outputFormat: values.outputFormat ?? 'jsonl',
    modelName: values.modelName,
    modelVersion: values.modelVersion === undefined ? undefined : BigInt(values.modelVersion),
    jobId: values.jobId,
    batchSize: values.batchSize ?? DEFAULT_BATCH_SIZE,
    shardRows: values.shardRows,
    concurrency: values.concurrency,
    map: values.map,
    idColumn: values.idColumn,
    keep: values.keep,
    outputs: values.outputs,
    allowDuplicateIds: values.allowDuplicateIds,
    allowNonFinite: values.allowNonFinite,
    resumeFrom: values.resumeFrom ?? 0,
    retryFailed: values.retryFailed,
    maxErrors: values.maxErrors,
    timeoutSeconds: values.timeout,
    maxRetries: values.maxRetries ?? DEFAULT_MAX_RETRIES,
    progressCallbackUrl: values.progressCallbackUrl,
  };
}
