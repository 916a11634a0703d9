import { plainText } from '../plain-text.ts';
import type { TextContext, TextHit } from '../rule.ts';
import { has } from './signals.ts';

const BLOB =
  /(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{24,16384}={0,2}|(?:[0-9A-Fa-f]{2}){24,8192}|(?:\\u[0-9a-fA-F]{4}){8,2000}|(?:%[0-9A-Fa-f]{2}){12,4000}|(?:\\x[0-9a-fA-F]{2}){12,4000})(?![A-Za-z0-9+/_=-])/g;
const DECODES = ['decode', 'base64', 'atob', 'b64', 'unescape', 'decrypt', 'deobfuscate', 'rot13'];

/** A long encoded string that decodes to words, or that the text says to decode. */
export function encodedBlob(context: TextContext): TextHit[] {
  const { raw } = context;
  if (raw.length < 24 || /^(?:data:image\/|https?:)/i.test(raw)) return [];
  // The contents of a binary resource.
  if (context.kind === 'resource' && context.pointer.endsWith('/blob')) return [];
  const decodes = has(context.plain.text, DECODES);
  let seen = 0;
  let mild: TextHit | undefined;
  for (const match of raw.matchAll(BLOB)) {
    if (++seen > MAX_BLOBS) break;
    const [blob] = match;
    const before = raw.slice(Math.max(0, match.index - 8192), match.index);
    const isData = DATA_URI.test(before);
    const text = decode(blob);
    // An example that says itself what it decodes to.
    if (text !== undefined && raw.includes(text)) continue;
    const span = { start: match.index, end: match.index + Math.min(blob.length, 120) };
    // A link that installs something has its settings in its query.
    if (text?.startsWith('{') && /https?:\/\/[^\s"'<>()]{1,300}[?&][a-z]{1,20}=$/i.test(before)) continue;
    if (text !== undefined && !(isData && /^\s*</.test(text)))
      return [{ ...span, message: `holds an encoded text: "${plainText(text).text.slice(0, 80)}"` }];
    if (isData) continue;
    if (blob.length >= 80 && decodes && isDense(blob))
      return [{ ...span, message: 'has an encoded string decoded' }];
    if (blob.length >= 120 && isDense(blob))
      mild ??= { ...span, message: 'holds a long encoded string', severity: 'low' };
  }
  return mild ? [mild] : [];
}

/** Blobs of one text that are looked at. */
const MAX_BLOBS = 500;
/** An image inside of a text, and no white space since. */
const DATA_URI = /data:[a-z]{1,20}(?:\/|%2f)[a-z0-9.+%-]{1,60}(?:;|%3b)base64(?:,|%2c)[^\s"'<>]*$/i;

function isDense(blob: string): boolean {
  return !/^[0-9A-Fa-f]+$/.test(blob) && /[0-9]/.test(blob) && /[a-z]/.test(blob) && /[A-Z]/.test(blob);
}

/** What an encoded string says, when it is words. */
function decode(blob: string): string | undefined {
  const candidates = [];
  if (blob.startsWith('\\u'))
    candidates.push(
      blob.replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  else if (/^(?:%|\\x)/.test(blob))
    candidates.push(Buffer.from(blob.replace(/%|\\x/g, ''), 'hex').toString('latin1'));
  else {
    if (/^[0-9A-Fa-f]+$/.test(blob)) candidates.push(Buffer.from(blob, 'hex').toString('latin1'));
    candidates.push(Buffer.from(blob, 'base64').toString('latin1'));
  }
  return candidates.find(isWords);
}

function isWords(text: string): boolean {
  const sample = text.slice(0, 400);
  return (
    sample.length >= 12 &&
    /^[\x20-\x7e\r\n\t]+$/.test(sample) &&
    (sample.match(/[A-Za-z]{2,} /g)?.length ?? 0) >= 2
  );
}
