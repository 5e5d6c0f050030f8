/**
 * BYTES elements on their way between threads: all in one buffer, which is transferred as one, where separate views
 * would each drag the buffer behind them through a copy. ONNX Runtime takes them as strings, so they must be UTF-8,
 * and its Node binding cuts a string at the first NUL, so there must be none.
 */
export interface PackedBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each element ends in `bytes`; it starts where the one before it ends. */
  readonly ends: Uint32Array<ArrayBuffer>;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Copies the elements into one buffer. */
export function packElements(elements: readonly Uint8Array[]): PackedBytes {
  const ends = new Uint32Array(elements.length);
  let total = 0;
  for (const [index, element] of elements.entries()) {
    total += element.length;
    ends[index] = total;
  }
  const bytes = new Uint8Array(total);
  for (const [index, element] of elements.entries()) {
    bytes.set(element, (ends[index] ?? 0) - element.length);
  }
  return { bytes, ends };
}

/** The elements as views of the packed buffer. */
export function unpackElements({ bytes, ends }: PackedBytes): Uint8Array[] {
  const elements: Uint8Array[] = [];
  let start = 0;
  for (const end of ends) {
    elements.push(bytes.subarray(start, end));
    start = end;
  }
  return elements;
}

/** @throws {Error} naming the first element that is no UTF-8 text or holds a NUL. */
export function decodeStrings(packed: PackedBytes): string[] {
  return unpackElements(packed).map((element, index) => {
    if (element.includes(0)) {
      throw new Error(`element ${index} holds a NUL byte, at which ONNX Runtime for Node would cut it`);
    }
    try {
      return decoder.decode(element);
    } catch {
      throw new Error(`element ${index} is not valid UTF-8: ONNX strings are text`);
    }
  });
}

export function encodeStrings(strings: readonly string[]): PackedBytes {
  return packElements(strings.map((text) => encoder.encode(text)));
}
