import type { ErrorDetails } from '../../base/errors.ts';
import { MillraceError } from '../../base/errors.ts';
import type { Reason } from '../../base/reasons.ts';
import { shortenRuntimeMessage } from './runtime-message.ts';

/** One kind of refusal by ONNX Runtime: how its message looks, and what is said instead. */
interface Refusal {
  readonly pattern: RegExp;
  readonly reason: Reason;
  readonly describe: (match: RegExpExecArray, runtime: string, text: string) => string;
}

const REFUSALS: readonly Refusal[] = [
  {
    pattern: /Opset (\d+) is under development[\s\S]*for domain (\S+) is till opset (\d+)/,
    reason: 'MODEL_UNSUPPORTED',
    describe: ([, opset, domain, maximum], runtime) =>
      `needs opset ${opset} of domain '${domain}', ${runtime} has up to opset ${maximum}: export it with an opset of at most ${maximum}`,
  },
  {
    pattern: /Unsupported model IR version: (\d+), max supported IR version: (\d+)/,
    reason: 'MODEL_UNSUPPORTED',
    describe: ([, version, maximum], runtime) =>
      `has IR version ${version}, ${runtime} reads up to ${maximum}: export it with an older onnx package, or lower its ir_version`,
  },
  {
    pattern: /Fatal error: (\S*?):(\S+)\(-?\d+\) is not a registered function\/op/,
    reason: 'MODEL_UNSUPPORTED',
    describe: ([, domain, operator], runtime) =>
      `uses operator '${operator}' of domain '${domain || 'ai.onnx'}', which ${runtime} does not have`,
  },
  {
    pattern: /No Op registered for (\S+) with domain_version of (\d+)/,
    reason: 'MODEL_UNSUPPORTED',
    describe: ([, operator, version], runtime) =>
      `uses operator '${operator}', which ${runtime} does not have at opset ${version}`,
  },
  {
    pattern: /Could not find an implementation for (\S+)\((\d+)\)(?: node with name '(.*?)')?/,
    reason: 'MODEL_UNSUPPORTED',
    describe: ([, operator, version, node], runtime) =>
      `uses operator '${operator}' of version ${version}${node ? ` (node '${node}')` : ''} with datatypes that ${runtime} has no code for`,
  },
  {
    pattern: /Unsupported data type: (.+)|MLDataType for: tensor\((.+?)\)/,
    reason: 'MODEL_UNSUPPORTED',
    describe: ([, type, elementType], runtime) =>
      `uses datatype ${type ?? elementType}, which ${runtime} for Node cannot carry`,
  },
  {
    pattern: /Protobuf parsing failed|does not have a graph|File doesn't exist/,
    reason: 'MODEL_FILE_INVALID',
    describe: (_match, runtime, text) => `cannot be read by ${runtime}: ${text}`,
  },
  {
    pattern:
      /AppendExecutionProvider|backend not found|assigned to the default CPU EP|CUDA (?:failure|error)/,
    reason: 'PROVIDER_UNAVAILABLE',
    describe: (_match, runtime, text) =>
      `is to run on an execution provider that ${runtime} cannot use here: ${text}`,
  },
  {
    pattern: /locale/i,
    reason: 'MODEL_LOAD_FAILED',
    describe: (_match, runtime, text) =>
      `was refused by ${runtime}: ${text}. StringNormalizer needs the locale that it names, by default en_US.UTF-8: install it on this machine`,
  },
];

/** What ONNX Runtime said when it made a session, as an error that says which limit was hit. */
export function toLoadError(modelPath: string, runtimeText: string, runtimeVersion: string): MillraceError {
  const runtime = `ONNX Runtime ${runtimeVersion}`;
  const text = shortenRuntimeMessage(runtimeText);
  const details: ErrorDetails = { model_file: modelPath, runtime_version: runtimeVersion };
  for (const { pattern, reason, describe } of REFUSALS) {
    const match = pattern.exec(text);
    if (match !== null) {
      return new MillraceError(reason, `model file '${modelPath}' ${describe(match, runtime, text)}`, {
        details,
      });
    }
  }
  return new MillraceError(
    'MODEL_LOAD_FAILED',
    `model file '${modelPath}' was refused by ${runtime}: ${text}`,
    { details },
  );
}
