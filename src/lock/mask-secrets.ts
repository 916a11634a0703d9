import { credentialMark, credentialsIn, secretMark } from '../util/credential-marks.ts';
import { isPlaceholder } from '../util/secrets.ts';
import type { Span } from '../util/spans.ts';
import { createFinder, type NamedSpan, valuesOf } from '../util/value-finder.ts';
import type { Masker } from './mask.ts';
import type { MaskName } from './types.ts';

/** A shorter value may be a word that texts use; what is masked in a surface must not depend on such words. */
const MIN_TOKEN = 16;

interface Marked extends Span {
  mark: string;
  mask: MaskName;
}

/**
 * Makes the replacement of `DESIGN.md` §3.1, that no credential enters a lock. What the server was given (`secrets`:
 * value to the name of its variable or header) becomes `${SECRET:<name>}` in every form that `createFinder` knows: of
 * these only tokens by their looks, and the user-info with a password of those that are URLs, where it stands in a
 * URL. A credential of a known format becomes `${CREDENTIAL:<format>:<digest>}`. Linear in the text.
 */
export function createSecretMask(secrets: ReadonlyMap<string, string> = new Map()): Masker {
  const given = givenFinder(secrets);
  return (text, used) => {
    const marks: Marked[] = credentialsIn(text).map(({ start, end, format }) => ({
      start,
      end,
      mark: credentialMark(format, text.slice(start, end)),
      mask: 'CREDENTIAL',
    }));
    for (const { start, end, name } of given(text))
      marks.push({ start, end, mark: secretMark(name), mask: 'SECRET' });
    if (marks.length === 0) return text;
    return replaced(text, marks, used);
  };
}

/** Marks that overlap are one: that of a given secret, whose value differs between machines. */
function replaced(text: string, marks: Marked[], used: Set<MaskName> | undefined): string {
  marks.sort((a, b) => a.start - b.start || b.end - a.end);
  const out: string[] = [];
  let at = 0;
  let current: Marked | undefined;
  const finish = (): void => {
    if (current === undefined) return;
    out.push(current.mark);
    used?.add(current.mask);
    at = current.end;
  };
  for (const next of marks) {
    const touches = current?.mask === 'SECRET' && current.mark === next.mark && next.start === current.end;
    if (current !== undefined && (next.start < current.end || touches)) {
      const mark = current.mask === 'SECRET' ? current : next.mask === 'SECRET' ? next : current;
      current = { ...mark, start: current.start, end: Math.max(current.end, next.end) };
      continue;
    }
    finish();
    out.push(text.slice(at, next.start));
    current = next;
  }
  finish();
  out.push(text.slice(at));
  return out.join('');
}

function givenFinder(secrets: ReadonlyMap<string, string>): (text: string) => NamedSpan[] {
  const tokens: [string, string][] = [];
  const userInfos = new Map<string, string>();
  for (const [secret, name] of secrets) {
    for (const value of valuesOf(secret))
      if (value.length >= MIN_TOKEN && isToken(value)) tokens.push([value, name]);
    for (const userInfo of userInfoOf(secret)) if (!userInfos.has(userInfo)) userInfos.set(userInfo, name);
  }
  if (tokens.length === 0 && userInfos.size === 0) return () => [];
  const find = createFinder(tokens);
  return (text) => {
    const spans = text.length < MIN_TOKEN ? [] : find(text);
    if (!text.includes('://')) return spans;
    for (const [userInfo, name] of userInfos) {
      const needle = `://${userInfo}@`;
      for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
        spans.push({ start: at + 3, end: at + needle.length - 1, name });
    }
    return spans;
  };
}

/**
 * `user:password` of a URL. Passwords of examples ("postgres:postgres", "user:password") are left out: texts of servers
 * show them, whatever this machine uses.
 */
function userInfoOf(value: string): string[] {
  // A literal of the config comes as its user-info alone.
  const [, userInfo = ''] =
    /^(?:\s*[a-z][a-z0-9+.-]{0,30}:\/\/)?([^/?#\s@]{1,512})(?:@|$)/i.exec(value.slice(0, 1024)) ?? [];
  const password = userInfo.split(':').slice(1).join(':');
  const varied = password.length >= 6 && /[0-9]/.test(password) && /[^0-9]/.test(password);
  return (varied || password.length >= 12) && !isPlaceholder(password) ? [userInfo] : [];
}

const BASE64 = /^[A-Za-z0-9+/]{32,}={0,2}$/;

/** One run of characters with a digit and a letter, and no URL, path or sentence; base64 may hold a slash. */
function isToken(value: string): boolean {
  if (BASE64.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && /(?:[0-9].*){3}/.test(value))
    return true;
  return /^[^\s/\\]+$/.test(value) && /[0-9]/.test(value) && /[A-Za-z]/.test(value);
}
