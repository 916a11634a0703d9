import { fileURLToPath } from 'node:url';
import type { NamedPath } from './named-paths.ts';
import { NoCheckpoint, shownText } from './no-checkpoint.ts';

/**
 * The paths that servers may take one text for: as it is, without blanks and quotes around it, a `file:` URI or
 * percent-encoding decoded, and (where `/` separates) with `\` for `/`. Throws {@link NoCheckpoint} for what a server may
 * expand in a way that nobody else knows.
 */
export function spellings({ text, several }: NamedPath): string[] {
  if (/[\x00-\x1f]/.test(text)) throw new NoCheckpoint('a path holds a control character');
  if (/^file:/i.test(text)) return [fromUri(text)];
  const plain = text.trim().replaceAll(/^["'`]|["'`]$/g, '');
  if (plain === '') throw new NoCheckpoint('a path is empty');
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(plain)) throw new NoCheckpoint(`${shownText(text)} is no file`);
  if (process.platform !== 'win32' && /^[a-z]:(?:[\\/]|$)/i.test(plain))
    throw new NoCheckpoint(`${shownText(text)} is a path of Windows`);
  if (plain.startsWith('~')) throw new NoCheckpoint(`${shownText(text)} begins with "~"`);
  if (/^(?:\$\w+(?:[\\/]|$)|%\w+%)|\$\{/.test(plain))
    throw new NoCheckpoint(`${shownText(text)} holds a variable`);
  if (/[*?]|\{[^}]*,/.test(plain)) throw new NoCheckpoint(`${shownText(text)} may be a pattern`);
  if (several && /[,;:\s]/.test(plain)) throw new NoCheckpoint(`${shownText(text)} may be several paths`);
  const found = new Set([text, plain]);
  if (plain.includes('%')) found.add(decoded(plain));
  if (process.platform !== 'win32' && plain.includes('\\')) found.add(plain.replaceAll('\\', '/'));
  return [...found];
}

function fromUri(text: string): string {
  try {
    return fileURLToPath(text);
  } catch {
    throw new NoCheckpoint(`${shownText(text)} is a file URI that cannot be read`);
  }
}

function decoded(text: string): string {
  try {
    const plain = decodeURIComponent(text);
    return plain.includes('\0') ? text : plain;
  } catch {
    return text;
  }
}
