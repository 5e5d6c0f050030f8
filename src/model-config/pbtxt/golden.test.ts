import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MODEL_CONFIG } from '../descriptor.ts';
import type { FieldValue, MessageValue } from './message-value.ts';
import { parseTextFormat } from './parser.ts';
import { printTextFormat } from './printer.ts';

/** What C++ protobuf made of each text: test/fixtures/pbtxt/record.py. */
interface GoldenCase {
  readonly text: string;
  readonly accepted: boolean;
  /** Null where the message holds bytes that are no UTF-8. */
  readonly value?: Readonly<Record<string, unknown>> | null;
}

const GOLDEN_FOLDER = new URL('../../../test/fixtures/pbtxt/golden/', import.meta.url);

function readGolden(file: string): readonly GoldenCase[] {
  return JSON.parse(readFileSync(new URL(file, GOLDEN_FOLDER), 'utf8')).cases;
}

/** As record.py writes values: 64-bit integers and numbers that JSON lacks as strings, maps as objects. */
function toGolden(value: FieldValue): unknown {
  if (Array.isArray(value)) {
    return value.map(toGolden);
  }
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, held]) => [String(key), toGolden(held)]));
  }
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, toGolden(held)]));
  }
  if (Object.is(value, -0)) {
    return '-0';
  }
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))
    ? String(value)
    : value;
}

function parse(text: string): MessageValue | undefined {
  try {
    return parseTextFormat(text, MODEL_CONFIG, 'config.pbtxt');
  } catch (error) {
    expect(error).toMatchObject({ reason: 'CONFIG_SYNTAX' });
    return undefined;
  }
}

describe.each(readdirSync(GOLDEN_FOLDER))('C02: text format as C++ protobuf reads it, %s', (file) => {
  it.each(readGolden(file))('$text', ({ text, accepted, value }) => {
    const message = parse(text);
    if (!accepted || value === null) {
      expect(message).toBeUndefined();
      return;
    }
    expect(message).toBeDefined();
    expect(toGolden(message ?? {})).toEqual(value);
    expect(parse(printTextFormat(message ?? {}, MODEL_CONFIG))).toEqual(message);
  });
});
