import { SECRET_FORMATS } from './secret-formats.ts';

/** One credential in a text. */
export interface SecretMatch {
  format: string;
  title: string;
  /** Offsets in UTF-16 code units, end exclusive. */
  start: number;
  end: number;
}

const PEM_BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const PEM_END = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
/** Of a private key whose end is missing, this much is taken for the key: 16 KiB holds RSA 16384. */
const PEM_MAX = 16_384;

function pemMatches(text: string): SecretMatch[] {
  if (!text.includes('PRIVATE KEY')) return [];
  const matches: SecretMatch[] = [];
  const ends = [...text.matchAll(PEM_END)].map((match) => match.index + match[0].length);
  let next = 0;
  let covered = 0;
  for (const match of text.matchAll(PEM_BEGIN)) {
    if (match.index < covered) continue;
    while (next < ends.length && (ends[next] as number) <= match.index) next++;
    const limit = match.index + match[0].length + PEM_MAX;
    const found = ends[next];
    const end = found !== undefined && found <= limit ? found : Math.min(limit, text.length);
    covered = end;
    const block = text.slice(match.index, end);
    // One whose lines were masked holds nothing any more.
    if (block.includes('${CREDENTIAL:private-key:') && !isRealKey(block)) continue;
    matches.push({ format: 'private-key', title: 'Private key', start: match.index, end });
  }
  return matches;
}

/** Every format has such a run, which few texts have; but those that stops and slashes can part, with what they hold. */
const RUN = /[A-Za-z0-9_~+=-]{15}/;
const PARTED = /PRIVATE KEY|ecret|ECRET|Q~|whsec_/;

/** Every credential of a known format in `text`, placeholders included, in the order of the formats. */
export function knownSecrets(text: string): SecretMatch[] {
  if (!RUN.test(text) && !PARTED.test(text)) return [];
  const matches = pemMatches(text);
  for (const { id, title, hints, pattern } of SECRET_FORMATS) {
    if (!hints.some((hint) => text.includes(hint))) continue;
    for (const match of text.matchAll(pattern)) {
      if (id === 'openai' && !match[0].includes('T3BlbkFJ')) continue;
      matches.push({ format: id, title, start: match.index, end: match.index + match[0].length });
    }
  }
  return matches;
}

const PLACEHOLDER =
  /example|placeholder|your[-_ ]?|xxxx|\*{3}|\.{3}|…|<|>|\$\{|\{\{|change[-_]?me|dummy|fake|sample|redacted|replace|insert|goes[-_]?here|todo|0{8}|1234567|abcdefg|deadbeef|my[-_]?(?:secret|token|key|pass)/i;

/**
 * True for what only stands where a credential goes: words such as `example` or `your`, runs and sequences of
 * characters, too few different characters for a random string.
 */
export function isPlaceholder(secret: string): boolean {
  if (PLACEHOLDER.test(secret)) return true;
  const body = secret.slice(-64);
  let steps = 0;
  for (let i = 1; i < body.length; i++) {
    const step = body.charCodeAt(i) - body.charCodeAt(i - 1);
    if (step === 0 || step === 1) steps++;
  }
  return steps > body.length / 3 || new Set(body).size < Math.min(8, body.length / 2);
}

/** The credentials of a known format in `text` that look real. */
export function findSecrets(text: string): SecretMatch[] {
  return knownSecrets(text).filter(({ format: id, start, end }) =>
    id === 'private-key' ? isRealKey(text.slice(start, end)) : !isPlaceholder(text.slice(start, end)),
  );
}

/** A private key has a body; a text that only mentions the header has none. */
function isRealKey(block: string): boolean {
  const body = block.replace(/-----[A-Z0-9 ]+-----/g, '').replace(/\\[nr]|\s/g, '');
  const base64 = /[A-Za-z0-9+/]{48,}/.exec(body.slice(0, PEM_MAX));
  return base64 !== null && !isPlaceholder(base64[0].slice(0, 200));
}
