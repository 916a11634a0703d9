import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { AgentGateError, messageOf } from '../util/errors.ts';
import type { ApprovalAlgorithm } from './policy.ts';

/** Checks approvals. With HMAC whoever can check can also approve; with Ed25519 not. */
export interface Verifier {
  algorithm: ApprovalAlgorithm;
  verify(message: Buffer, signature: Buffer): boolean;
}

/** Makes approvals. */
export interface Signer extends Verifier {
  sign(message: Buffer): Buffer;
}

const HMAC_HEAD = 'agentgate-operator-key-v1 hmac-sha256 ';
/** Bytes. */
const HMAC_KEY = 32;

/**
 * Makes the operator's key: a file that only its owner may read, outside of the project. With Ed25519 the public key is
 * written beside it as `<path>.pub`. Throws `E_KEY_EXISTS`, `E_KEY_PLACE` (inside of the project) and `E_KEY_WRITE`.
 */
export function createKey(path: string, algorithm: ApprovalAlgorithm, project: string): void {
  refuseInside(path, project);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // A link on the way may lead back into it.
    refuseInside(join(realpathSync(dirname(path)), 'x'), realpathSync(project));
    if (algorithm === 'hmac-sha256') {
      writeNew(path, `${HMAC_HEAD}${randomBytes(HMAC_KEY).toString('base64url')}\n`, 0o600);
      return;
    }
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    writeNew(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o600);
    writeNew(`${path}.pub`, publicKey.export({ type: 'spki', format: 'pem' }), 0o644);
  } catch (error) {
    if (error instanceof AgentGateError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new AgentGateError('E_KEY_EXISTS', `There is a key already: ${path}; it is not replaced.`);
    throw new AgentGateError('E_KEY_WRITE', `The key ${path} cannot be written: ${messageOf(error)}.`);
  }
}

function writeNew(path: string, data: string | Buffer, mode: number): void {
  writeFileSync(path, data, { flag: 'wx', mode });
}

function refuseInside(path: string, project: string): void {
  if (path === project || path.startsWith(project.endsWith(sep) ? project : project + sep))
    throw new AgentGateError(
      'E_KEY_PLACE',
      `The operator's key may not lie in the project (${path}): the agent and its servers can read that; name another "key-file".`,
    );
}

/** What signs an approval. Throws `E_KEY_MISSING`, `E_KEY_MODE`, `E_KEY_PLACE` and `E_KEY_INVALID`. */
export function loadSigner(path: string, algorithm: ApprovalAlgorithm, project: string): Signer {
  const text = readSecretFile(path, project);
  if (algorithm === 'hmac-sha256') return hmacSigner(text, path);
  return ed25519Signer(privateKeyOf(text, path));
}

/** What checks an approval: for Ed25519 the public key alone. Throws as {@link loadSigner} does. */
export function loadVerifier(path: string, algorithm: ApprovalAlgorithm, project: string): Verifier {
  if (algorithm === 'hmac-sha256') return hmacSigner(readSecretFile(path, project), path);
  const file = `${path}.pub`;
  refuseInside(file, project);
  let key: KeyObject;
  try {
    refuseInside(realpathSync(file), realpathSync(project));
    refuseReplaceable(file);
    key = createPublicKey(readFileSync(file));
  } catch (error) {
    if (error instanceof AgentGateError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw missing(file);
    throw invalid(file);
  }
  if (key.asymmetricKeyType !== 'ed25519') throw invalid(file);
  return ed25519Verifier(key);
}

/** Who could put another key in its place could approve. */
function refuseReplaceable(file: string): void {
  if (process.platform === 'win32') return;
  const folder = statSync(dirname(file)).mode;
  const open = (statSync(file).mode & 0o022) !== 0 || ((folder & 0o002) !== 0 && (folder & 0o1000) === 0);
  if (open)
    throw new AgentGateError(
      'E_KEY_MODE',
      `The key ${file} can be replaced by others; run "chmod go-w" on it and its folder.`,
    );
}

/** The Ed25519 key in a file, for checkpoints. Throws as {@link loadSigner} does. */
export function loadPrivateKey(path: string, project: string): KeyObject {
  return privateKeyOf(readSecretFile(path, project), path);
}

function hmacSigner(text: string, path: string): Signer {
  const encoded = text.startsWith(HMAC_HEAD) ? text.slice(HMAC_HEAD.length).trimEnd() : '';
  const key = Buffer.from(encoded, 'base64url');
  if (key.length !== HMAC_KEY || key.toString('base64url') !== encoded) throw invalid(path);
  const mac = (message: Buffer): Buffer => createHmac('sha256', key).update(message).digest();
  return {
    algorithm: 'hmac-sha256',
    sign: mac,
    verify: (message, signature) => {
      const expected = mac(message);
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    },
  };
}

function ed25519Signer(key: KeyObject): Signer {
  return { ...ed25519Verifier(createPublicKey(key)), sign: (message) => sign(null, message, key) };
}

function ed25519Verifier(key: KeyObject): Verifier {
  return {
    algorithm: 'ed25519',
    verify: (message, signature) => signature.length === 64 && verify(null, message, key, signature),
  };
}

function privateKeyOf(text: string, path: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    throw invalid(path);
  }
  if (key.asymmetricKeyType !== 'ed25519') throw invalid(path);
  return key;
}

/** A secret's text: a plain file of ours that nobody else may read, not in the project. Throws as {@link loadSigner} does. */
export function readSecretFile(path: string, project: string): string {
  refuseInside(path, project);
  try {
    refuseInside(realpathSync(path), realpathSync(project));
    const stats = lstatSync(path);
    if (!stats.isFile()) throw invalid(path);
    const uid = process.getuid?.();
    const foreign = uid !== undefined && stats.uid !== uid && stats.uid !== 0;
    if (foreign)
      throw new AgentGateError(
        'E_KEY_MODE',
        `The key ${path} belongs to another user: only that user can do this.`,
      );
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
      throw new AgentGateError(
        'E_KEY_MODE',
        `The key ${path} can be read by others; run "chmod 600" on it, and replace it if anybody could have read it.`,
      );
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof AgentGateError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw missing(path);
    throw new AgentGateError('E_KEY_INVALID', `The key ${path} cannot be read: ${messageOf(error)}.`);
  }
}

function missing(path: string): AgentGateError {
  return new AgentGateError('E_KEY_MISSING', `There is no key ${path}; make one with "agentgate gate init".`);
}

function invalid(path: string): AgentGateError {
  return new AgentGateError('E_KEY_INVALID', `${path} is no key of the algorithm that the policy names.`);
}
