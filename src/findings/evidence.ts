import { visibleLine } from '../util/hidden.ts';
import { secretSpans } from '../util/redact.ts';
import { replaceSpans } from '../util/spans.ts';

/** Characters of context around a match: enough to judge it, short enough for a table. */
const AROUND = 200;
/** Room for a secret (a private key) that begins before or ends after what is shown. */
const AROUND_SECRETS = 16_384;

/**
 * The match with what stands around it: at most about 200 characters, white space runs as their length, hidden
 * characters visible, secrets as `***`. Offsets are UTF-16 units of `raw`.
 */
export function evidenceOf(raw: string, start: number, end: number): string {
  const spare = Math.max(0, AROUND - (end - start));
  let from = Math.max(0, start - Math.floor(spare / 2));
  let to = Math.min(raw.length, Math.min(end, start + AROUND) + Math.ceil(spare / 2));
  from = wordEdge(raw, from, start, -1);
  to = wordEdge(raw, to, Math.min(end, to), 1);
  if (isLow(raw.charCodeAt(from))) from--;
  if (isLow(raw.charCodeAt(to))) to++;
  // A secret may reach over the cut: it is looked for in more than is shown.
  const first = Math.max(0, from - AROUND_SECRETS);
  const spans = secretSpans(raw.slice(first, to + AROUND_SECRETS))
    .map((span) => ({
      start: Math.max(0, span.start + first - from),
      end: Math.min(to, span.end + first) - from,
    }))
    .filter((span) => span.start < span.end);
  const clean = replaceSpans(raw.slice(from, to), spans);
  const text = visibleLine(squeeze(clean)).slice(0, 600);
  return `${from > 0 ? '…' : ''}${text}${to < raw.length ? '…' : ''}`;
}

/** Moves a cut to the nearest blank within 15 units, not past `limit`. */
function wordEdge(text: string, at: number, limit: number, direction: 1 | -1): number {
  if (at <= 0 || at >= text.length) return at;
  for (let n = 0; n <= 15; n++) {
    const i = at - direction * n;
    if (direction < 0 ? i >= limit : i <= limit) break;
    if (/\s/.test(text.charAt(i))) return direction < 0 ? i + 1 : i;
  }
  return at;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Long runs of white space by their length, so that what they pushed away is seen. */
function squeeze(text: string): string {
  return text
    .replace(/[^\S\n]{6,}/g, (run) => ` ⟨${run.length} blanks⟩ `)
    .replace(/\n(?:[^\S\n]*\n){3,}/g, (run) => ` ⟨${run.split('\n').length - 1} line breaks⟩ `)
    .replace(/[ \t]*\r?\n[ \t]*/g, ' ')
    .replaceAll('\t', ' ');
}
