import { createHash } from 'node:crypto';
import type { Json } from '../../src/util/json.ts';

// A second reading of RFC 8785 and DESIGN.md §3.3, on purpose sharing no code with src/lock.

/** Canonical text of a parsed value. */
export function jcs(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const keys = Object.keys(value).sort((a, b) => Buffer.compare(utf16(a), utf16(b)));
    return `{${keys.map((key) => `${jcs(key)}:${jcs(value[key] as Json)}`).join(',')}}`;
  }
  if (typeof value === 'string') return quoted(value);
  return String(value === 0 ? 0 : value);
}

/** Big-endian code units: their byte order is the code units' order. */
function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

function quoted(text: string): string {
  const short = new Map([
    ['\b', '\\b'],
    ['\t', '\\t'],
    ['\n', '\\n'],
    ['\f', '\\f'],
    ['\r', '\\r'],
    ['"', '\\"'],
    ['\\', '\\\\'],
  ]);
  let out = '"';
  for (const character of text) {
    const code = character.charCodeAt(0);
    out += short.get(character) ?? (code < 0x20 ? `\\u00${code.toString(16).padStart(2, '0')}` : character);
  }
  return `${out}"`;
}

export function sha(text: string): string {
  return `sha256:${createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex')}`;
}

/** Every string in NFC, by way of entries, so that `__proto__` is a key like any other. */
export function toNfc(value: Json): Json {
  if (typeof value === 'string') return value.normalize('NFC');
  if (Array.isArray(value)) return value.map(toNfc);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.normalize('NFC'), toNfc(item)]));
}

/** The object with only, or without, the members named. */
export function pick(value: Json, keep: (key: string) => boolean): Json {
  return Object.fromEntries(Object.entries(value as { [key: string]: Json }).filter(([key]) => keep(key)));
}
