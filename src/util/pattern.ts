/** The source of a pattern that matches the text itself, also with the flag `u`. */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
