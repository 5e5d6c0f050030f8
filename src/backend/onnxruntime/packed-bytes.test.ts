import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeStrings, encodeStrings, packElements, unpackElements } from './packed-bytes.ts';

it('unpacking gives what was packed', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), (elements) => {
      expect(unpackElements(packElements(elements))).toEqual(elements);
    }),
  );
});

it('decoding gives any text without a NUL that was encoded', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
  fc.assert(
    fc.property(fc.array(text), (strings) => {
      expect(decodeStrings(encodeStrings(strings))).toEqual(strings);
    }),
  );
});

it.each([
  ['a lone continuation byte', [0x80]],
  ['an overlong form', [0xc0, 0x80]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['a character cut short', [0xf0, 0x9f, 0x98]],
])('%s is refused by its index', (_what, element) => {
  const packed = packElements([Uint8Array.of(0x61), Uint8Array.from(element)]);
  expect(() => decodeStrings(packed)).toThrow('element 1 is not valid UTF-8');
});

it('a character that ends in the next element is not put together', () => {
  const packed = packElements([Uint8Array.of(0xc3), Uint8Array.of(0xa9)]);
  expect(() => decodeStrings(packed)).toThrow('element 0');
});
