import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKey, loadSigner, loadVerifier } from '../../src/gate/keys.ts';
import type { ApprovalAlgorithm } from '../../src/gate/policy.ts';
import {
  approvalProof,
  type Claims,
  isProofOf,
  makeToken,
  newNonce,
  readToken,
} from '../../src/gate/token.ts';

let folder: string;
let project: string;
let key: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'token-test-'));
  project = join(folder, 'project');
  mkdirSync(project);
  key = join(folder, 'keys', 'operator.key');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const claims = (): Claims => ({
  pid: 'prop_a1b2c3d4',
  payload_sha256: 'a'.repeat(64),
  state_fingerprint: 'b'.repeat(64),
  tool_hash: 'sha256:c',
  policy_sha256: 'd'.repeat(64),
  nonce: newNonce(),
  iat: 1,
  exp: 2,
  op: 'someone',
});
const refused = (work: () => unknown, code: string): void => {
  expect(work).toThrow(expect.objectContaining({ code }));
};

describe.each<[ApprovalAlgorithm, string, number]>([
  ['hmac-sha256', 'agt1', 32],
  ['ed25519', 'agt2', 64],
])('a token by %s', (algorithm, prefix, bytes) => {
  const signer = () => loadSigner(key, algorithm, project);
  const verifier = () => loadVerifier(key, algorithm, project);
  beforeEach(() => createKey(key, algorithm, project));

  it('is the canonical claims and a signature, in base64url', () => {
    const wanted = claims();
    const token = makeToken(wanted, signer());
    const [head, body = '', signature = ''] = token.split('.');
    expect(head).toBe(prefix);
    expect(Buffer.from(signature, 'base64url')).toHaveLength(bytes);
    const text = Buffer.from(body, 'base64url').toString();
    expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(JSON.parse(text)).sort());
    expect(readToken(token, verifier())).toEqual(wanted);
  });

  it('is refused in every other spelling of the same bytes', () => {
    const token = makeToken(claims(), signer());
    const last = token.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const twin = [...alphabet].filter(
      (letter) =>
        letter !== last &&
        Buffer.from(`${token.slice(0, -1).split('.')[2]}${letter}`, 'base64url').equals(
          Buffer.from(token.split('.')[2] ?? '', 'base64url'),
        ),
    );
    const spellings = [
      ...twin.map((letter) => token.slice(0, -1) + letter),
      `${token}=`,
      `${token}==`,
      token.replaceAll('-', '+').replaceAll('_', '/').replace(prefix, `${prefix}`),
      `${token}\n`,
      ` ${token}`,
      token.replace('.', '..'),
      `${token}.x`,
      token.replace(prefix, prefix.toUpperCase()),
    ].filter((text) => text !== token);
    expect(spellings.length).toBeGreaterThan(6);
    for (const text of spellings) refused(() => readToken(text, verifier()), 'E_TOKEN_INVALID');
  });

  it('is refused with any claim changed, and with the signature of a record', () => {
    const wanted = claims();
    const token = makeToken(wanted, signer());
    const signature = token.split('.')[2];
    for (const name of Object.keys(wanted)) {
      const body = Buffer.from(JSON.stringify({ ...wanted, [name]: name === 'exp' ? 9e9 : 'x' })).toString(
        'base64url',
      );
      refused(() => readToken(`${prefix}.${body}.${signature}`, verifier()), 'E_TOKEN_INVALID');
    }
    const proof = approvalProof(wanted, signer());
    expect(isProofOf(wanted, proof, verifier())).toBe(true);
    expect(isProofOf({ ...wanted, pid: 'other' }, proof, verifier())).toBe(false);
    refused(
      () => readToken(`${token.split('.').slice(0, 2).join('.')}.${proof}`, verifier()),
      'E_TOKEN_INVALID',
    );
    expect(isProofOf(wanted, signature ?? '', verifier())).toBe(false);
  });

  it('is refused by another key', () => {
    const token = makeToken(claims(), signer());
    const other = join(folder, 'other.key');
    createKey(other, algorithm, project);
    refused(() => readToken(token, loadVerifier(other, algorithm, project)), 'E_TOKEN_INVALID');
  });
});

describe('keys', () => {
  it('are for their owner alone, and are never replaced', () => {
    createKey(key, 'hmac-sha256', project);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const before = readFileSync(key, 'utf8');
    refused(() => createKey(key, 'hmac-sha256', project), 'E_KEY_EXISTS');
    expect(readFileSync(key, 'utf8')).toBe(before);
  });

  it('are not made or read in the project, by a link neither', () => {
    refused(() => createKey(join(project, 'operator.key'), 'hmac-sha256', project), 'E_KEY_PLACE');
    symlinkSync(project, join(folder, 'link'));
    refused(() => createKey(join(folder, 'link', 'operator.key'), 'hmac-sha256', project), 'E_KEY_PLACE');
    createKey(key, 'hmac-sha256', project);
    symlinkSync(key, join(folder, 'linked.key'));
    refused(() => loadSigner(join(folder, 'linked.key'), 'hmac-sha256', project), 'E_KEY_INVALID');
  });

  it('that others can read are not used', () => {
    createKey(key, 'hmac-sha256', project);
    chmodSync(key, 0o640);
    refused(() => loadSigner(key, 'hmac-sha256', project), 'E_KEY_MODE');
  });

  it.skipIf(process.getuid?.() !== 0)('of another user are not used', () => {
    createKey(key, 'hmac-sha256', project);
    chownSync(key, 12_345, 12_345);
    refused(() => loadSigner(key, 'hmac-sha256', project), 'E_KEY_MODE');
  });

  it('of another algorithm, or none, are not used', () => {
    refused(() => loadSigner(key, 'hmac-sha256', project), 'E_KEY_MISSING');
    createKey(key, 'ed25519', project);
    refused(() => loadSigner(key, 'hmac-sha256', project), 'E_KEY_INVALID');
    writeFileSync(`${key}.pub`, 'nonsense');
    refused(() => loadVerifier(key, 'ed25519', project), 'E_KEY_INVALID');
  });

  it('that others can replace are not used, nor a link to one', () => {
    createKey(key, 'ed25519', project);
    const load = () => loadVerifier(key, 'ed25519', project);
    for (const [path, mode] of [
      [`${key}.pub`, 0o664],
      [`${key}.pub`, 0o646],
      [dirname(key), 0o777],
    ] as const) {
      const before = statSync(path).mode & 0o7777;
      chmodSync(path, mode);
      refused(load, 'E_KEY_MODE');
      chmodSync(path, before);
      load();
    }
    const inside = join(project, 'other.pub');
    renameSync(`${key}.pub`, inside);
    symlinkSync(inside, `${key}.pub`);
    refused(load, 'E_KEY_PLACE');
  });

  it('by Ed25519, a verifier needs no private key', () => {
    createKey(key, 'ed25519', project);
    const token = makeToken(claims(), loadSigner(key, 'ed25519', project));
    rmSync(key);
    expect(readToken(token, loadVerifier(key, 'ed25519', project)).pid).toBe('prop_a1b2c3d4');
  });
});
