import { MillraceError } from '../base/errors.ts';
import { quoteNames } from '../base/nearest-names.ts';
import { canClassify } from './classification.ts';
import type { RequestedOutput } from './request.ts';
import { checkWholeParameter } from './request-parameters.ts';
import type { RequestRules } from './request-rules.ts';
import { suggestNames } from './suggest-names.ts';

/**
 * Names of the outputs to give back, in the order asked for; all of them when none is named. Whoever asks for all in the
 * order of the config gets `rules.outputNames` itself, by which a batch knows equal requests at a glance.
 * @throws {MillraceError} OUTPUT_UNKNOWN, OUTPUT_NOT_TENSOR, OUTPUT_REPEATED, PARAMETER_INVALID for a classification that
 *   cannot be done.
 */
export function chooseOutputs(
  requested: readonly RequestedOutput[] | undefined,
  rules: RequestRules,
): readonly string[] {
  const all = rules.outputNames;
  if (requested === undefined || requested.length === 0) {
    return all;
  }
  const names: string[] = [];
  let isAll = requested.length === all.length;
  for (const output of requested) {
    checkOutput(output, rules);
    if (names.includes(output.name)) {
      throw new MillraceError(
        'OUTPUT_REPEATED',
        `output '${output.name}' of model '${rules.config.name}' is asked for twice: ask for it once`,
        { details: { output: output.name } },
      );
    }
    isAll &&= output.name === all[names.length];
    names.push(output.name);
  }
  return isAll ? all : names;
}

function checkOutput({ name, classificationCount }: RequestedOutput, rules: RequestRules): void {
  const spec = rules.outputs.get(name);
  if (spec === undefined) {
    throw unknownOutput(name, rules);
  }
  if (classificationCount === undefined || classificationCount === 0) {
    return;
  }
  checkWholeParameter('classification', classificationCount);
  if (!canClassify(spec.datatype)) {
    throw new MillraceError(
      'PARAMETER_INVALID',
      `class result not available for output '${name}' of model '${rules.config.name}' due to unsupported type ` +
        `'${spec.datatype}': ask for the tensor itself`,
      { details: { output: name, parameter: 'classification', found: spec.datatype } },
    );
  }
}

function unknownOutput(name: string, rules: RequestRules): MillraceError {
  if (rules.nonTensorOutputs.includes(name)) {
    return new MillraceError(
      'OUTPUT_NOT_TENSOR',
      `output '${name}' of model '${rules.config.name}' is a sequence or a map, not a tensor: export the model without ` +
        `it (skl2onnx: options={"zipmap": False}), or ask for ${quoteNames(rules.outputNames)} only`,
      { details: { output: name } },
    );
  }
  return new MillraceError(
    'OUTPUT_UNKNOWN',
    `unexpected inference output '${name}' for model '${rules.config.name}'${suggestNames(name, rules.outputNames)}`,
    { details: { output: name } },
  );
}
