import { describe, expect, it } from 'vitest';
import { parseLabels } from './labels.ts';
import { resolveText } from './testing/load-config.ts';

describe('C07: labels', () => {
  it.each([
    ['cat\ndog\nowl', ['cat', 'dog', 'owl']],
    ['cat\r\ndog\r\nowl\r\n', ['cat', 'dog', 'owl']],
    ['cat\ndog\n\n\r\n', ['cat', 'dog']],
    ['\ufeffcat\ndog', ['cat', 'dog']],
    ['cat\n\nowl\n', ['cat', '', 'owl']],
    [' a cat: \n', [' a cat: ']],
    ['', []],
    ['\n', []],
  ])('%j', (text, labels) => {
    expect(parseLabels(text)).toEqual(labels);
  });

  const CONFIG = 'output { name: "y" data_type: TYPE_FP32 dims: 5 label_filename: "names/labels.txt" }';

  it('C07: fewer labels than classes are as many as there are', () => {
    const files = new Map([['names/labels.txt', 'a\r\nb\r\nc\r\n\r\n']]);
    expect(resolveText(CONFIG, files).outputs[0]?.labels).toEqual(['a', 'b', 'c']);
  });

  it.each([[new Map()], [new Map([['names/labels.txt', undefined]])]])(
    'C07: a label file that is not there is an error with its path',
    (files) => {
      expect(() => resolveText(CONFIG, files)).toThrow(
        "output[0] ('y') has the label_filename 'names/labels.txt', but the repository has no file 'demo/names/labels.txt'",
      );
    },
  );
});
