/**
 * Labels of a class output, one a line; the index of a class is its line. Line ends of Windows and blank lines at the
 * end do not count.
 */
export function parseLabels(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  while (lines.at(-1) === '') {
    lines.pop();
  }
  return lines;
}
