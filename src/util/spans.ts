/** Offsets in UTF-16 code units, end exclusive. */
export interface Span {
  start: number;
  end: number;
}

const REPLACEMENT = '***';

/** `text` with `***` for each span; spans that overlap or touch are one. Sorts `spans`. */
export function replaceSpans(text: string, spans: Span[]): string {
  if (spans.length === 0) return text;
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const out: string[] = [];
  let at = 0;
  for (const [index, { start, end }] of spans.entries()) {
    if (index === 0 || start > at) out.push(text.slice(at, start), REPLACEMENT);
    at = Math.max(at, end);
  }
  out.push(text.slice(at));
  return out.join('');
}
