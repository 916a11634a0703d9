/** Counts the values of a JSON text, without parsing it: one, and one for each comma and each opening bracket. */
export function countValues(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      at = endOfString(text, at);
      if (at === -1) return count;
    } else if (code === 44 || code === 91 || code === 123) count++;
  }
  return count;
}

/**
 * The place of the quote that closes the string that opens at `open`; -1 when none does. Not
 * by a pattern: one for a whole string runs out of stack on some megabytes.
 */
export function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close !== -1; close = text.indexOf('"', close + 1)) {
    let first = close;
    while (text.charCodeAt(first - 1) === 92) first--;
    // An odd run of backslashes escapes the quote.
    if ((close - first) % 2 === 0) return close;
  }
  return -1;
}
