/** Files that are taken for models by mistake: the bytes they have at an offset, and what they are. */
const KINDS: readonly { readonly offset: number; readonly bytes: string; readonly what: string }[] = [
  { offset: 0, bytes: '\x89PNG', what: 'a PNG image' },
  { offset: 0, bytes: '\xff\xd8\xff', what: 'a JPEG image' },
  {
    offset: 0,
    bytes: 'version https://git-lfs',
    what: 'a Git LFS pointer: fetch the file itself with `git lfs pull`',
  },
  { offset: 0, bytes: 'PK\x03\x04', what: 'a ZIP archive, such as a PyTorch model: export it to ONNX' },
  { offset: 0, bytes: '\x1f\x8b', what: 'a gzip file: unpack it' },
  { offset: 0, bytes: '\x28\xb5\x2f\xfd', what: 'a zstd file: unpack it' },
  { offset: 0, bytes: '\x89HDF', what: 'an HDF5 file, such as a Keras model: export it to ONNX' },
  { offset: 0, bytes: '%PDF', what: 'a PDF document' },
  { offset: 0, bytes: 'GGUF', what: 'a GGUF model, which is no ONNX model' },
  { offset: 0, bytes: '<!DOCTYPE', what: 'an HTML page, perhaps of a failed download' },
  { offset: 0, bytes: '<!doctype', what: 'an HTML page, perhaps of a failed download' },
  { offset: 0, bytes: '<html', what: 'an HTML page, perhaps of a failed download' },
  { offset: 4, bytes: 'TFL3', what: 'a TensorFlow Lite model: export it to ONNX' },
  { offset: 4, bytes: 'ORTM', what: 'a model in ORT format: use the .onnx file that it was made from' },
  { offset: 8, bytes: '{"', what: 'a safetensors file: weights without a graph' },
];

/** Bytes of a file that `describeFileKind` looks at. */
export const FILE_KIND_BYTES = 32;

/** What a file looks like by its first bytes when it is surely no ONNX model; else undefined. */
export function describeFileKind(firstBytes: Buffer): string | undefined {
  const text = firstBytes.toString('latin1');
  return KINDS.find(({ offset, bytes }) => text.startsWith(bytes, offset))?.what;
}
