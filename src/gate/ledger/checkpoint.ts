import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { AgentGateError } from '../../util/errors.ts';
import type { TreeHead } from './verify.ts';

/** Type byte of an Ed25519 signature in a signed note (C2SP signed-note). */
const ED25519 = 1;
const ORIGIN = /^[^\s+][^\n+]{0,199}$/;
const SIGNATURE = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/;

/** A signed tree head of a ledger. */
export interface Checkpoint extends TreeHead {
  origin: string;
}

/**
 * A C2SP tlog-checkpoint as a signed note: origin, size and RFC 6962 root in base64, an empty line, and one Ed25519
 * signature line. `name` is the key's name, by convention the origin. Ends with a line feed.
 */
export function writeCheckpoint(
  head: TreeHead,
  options: { origin: string; name?: string; privateKey: KeyObject },
): string {
  const name = options.name ?? options.origin;
  for (const text of [options.origin, name])
    if (!ORIGIN.test(text) || (text === name && /\s/.test(name)))
      throw new AgentGateError('E_CHECKPOINT', `${JSON.stringify(text)} cannot name a log or a key.`);
  const body = `${options.origin}\n${head.size}\n${head.root.toString('base64')}\n`;
  const publicKey = createPublicKey(options.privateKey);
  const signature = Buffer.concat([
    keyId(name, publicKey),
    sign(null, Buffer.from(body), options.privateKey),
  ]);
  return `${body}\n— ${name} ${signature.toString('base64')}\n`;
}

/**
 * Reads a checkpoint and checks its signature. Lines after the root (extensions) and signatures of other keys are
 * allowed, as C2SP has them. Throws `E_CHECKPOINT` for a text that is none, and when no signature is by this key.
 */
export function readCheckpoint(text: string, options: { publicKey: KeyObject; from?: string }): Checkpoint {
  const where = options.from ?? 'the checkpoint';
  const fail = (what: string): AgentGateError =>
    new AgentGateError('E_CHECKPOINT', `${where} ${what}.`, { file: options.from });
  const end = text.lastIndexOf('\n\n');
  if (end === -1 || !text.endsWith('\n')) throw fail('is no signed note');
  const body = text.slice(0, end + 1);
  const [origin = '', sizeText = '', rootText = ''] = body.split('\n');
  const root = Buffer.from(rootText, 'base64');
  if (!ORIGIN.test(origin) || !/^(?:0|[1-9]\d{0,14})$/.test(sizeText) || root.length !== 32)
    throw fail('is no checkpoint of a log');
  if (root.toString('base64') !== rootText) throw fail('has a root that is not in canonical base64');
  const signatures = text
    .slice(end + 2)
    .trimEnd()
    .split('\n');
  const signed = signatures.some((line) => signs(line, body, options.publicKey));
  if (!signed) throw fail('is not signed by this key');
  return {
    origin,
    size: Number(sizeText),
    root,
    ...(options.from === undefined ? {} : { from: options.from }),
  };
}

function signs(line: string, body: string, publicKey: KeyObject): boolean {
  const [, name, encoded] = SIGNATURE.exec(line) ?? [];
  if (name === undefined || encoded === undefined) return false;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== 68 || bytes.toString('base64') !== encoded) return false;
  if (!bytes.subarray(0, 4).equals(keyId(name, publicKey))) return false;
  return verify(null, Buffer.from(body), publicKey, bytes.subarray(4));
}

/** First four bytes of `SHA-256(name || "\n" || type || public key)`. */
function keyId(name: string, publicKey: KeyObject): Buffer {
  return createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.of(ED25519))
    .update(rawPublicKey(publicKey))
    .digest()
    .subarray(0, 4);
}

/** The 32 bytes of an Ed25519 public key. */
function rawPublicKey(publicKey: KeyObject): Buffer {
  const { x } = publicKey.export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url');
}

/** The key in the form that other tools of C2SP logs take: `<name>+<key id>+<base64 of type and key>`. */
export function verifierKey(name: string, publicKey: KeyObject): string {
  const key = Buffer.concat([Buffer.of(ED25519), rawPublicKey(publicKey)]);
  return `${name}+${keyId(name, publicKey).toString('hex')}+${key.toString('base64')}`;
}
