import { MODEL_CONFIG } from './descriptor.ts';
import type { ModelConfigMessage } from './generated/model-config-message.ts';
import type { MessageValue } from './pbtxt/message-value.ts';
import { parseTextFormat } from './pbtxt/parser.ts';
import { printTextFormat } from './pbtxt/printer.ts';

/**
 * Reads the text of a config.pbtxt.
 * @param fileName as messages shall name it.
 * @throws {MillraceError} CONFIG_SYNTAX.
 */
export function parseModelConfig(text: string, fileName: string): ModelConfigMessage {
  // The generated type and the parser come from the same descriptor.
  return parseTextFormat(text, MODEL_CONFIG, fileName) as ModelConfigMessage;
}

/** The message as config.pbtxt. `parseModelConfig` gives the same message back. */
export function printModelConfig(message: ModelConfigMessage): string {
  return printTextFormat(message as MessageValue, MODEL_CONFIG);
}
