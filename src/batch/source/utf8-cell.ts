const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** True when every character of a Latin-1 string is a byte of ASCII, so that it is its own UTF-8. */
export function isAscii(text: string): boolean {
  // Every other byte takes two in UTF-8.
  return Buffer.byteLength(text) === text.length;
}

/** The text that the bytes of a Latin-1 string are in UTF-8; undefined when they are not UTF-8. */
export function decodeUtf8(bytes: string): string | undefined {
  if (isAscii(bytes)) {
    return bytes;
  }
  try {
    return UTF8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}
