import { randomBytes } from 'node:crypto';
import { canonicalJson } from '../lock/canonical.ts';
import { AgentGateError } from '../util/errors.ts';
import { isObject, type JsonObject, own } from '../util/json.ts';
import { scanJson } from '../util/strict-json.ts';
import type { Signer, Verifier } from './keys.ts';

/** What an operator approves, `GATE.md` §3. Hashes are hexadecimal, times are seconds since 1970. */
export interface Claims {
  pid: string;
  payload_sha256: string;
  state_fingerprint: string;
  tool_hash: string;
  policy_sha256: string;
  nonce: string;
  iat: number;
  exp: number;
  op: string;
}

const TEXTS = [
  'pid',
  'payload_sha256',
  'state_fingerprint',
  'tool_hash',
  'policy_sha256',
  'nonce',
  'op',
] as const;
const TIMES = ['iat', 'exp'] as const;
/** Before what is signed, so that a signature of one kind is never one of the other. */
const TOKEN_DOMAIN = 'agentgate-approval-v1\0';
const RECORD_DOMAIN = 'agentgate-approval-record-v1\0';
/** `agt1` is HMAC-SHA256, `agt2` Ed25519. */
const PREFIX = { 'hmac-sha256': 'agt1', ed25519: 'agt2' } as const;
/** Characters; a token has about 700. */
const MAX_TOKEN = 4_096;

export function newNonce(): string {
  return randomBytes(16).toString('base64url');
}

/** `agt1.<base64url(jcs(claims))>.<base64url(mac)>`: bound to one proposal, its payload and the state; one use. */
export function makeToken(claims: Claims, signer: Signer): string {
  const body = Buffer.from(canonicalJson({ ...claims }));
  const signature = signer.sign(Buffer.concat([Buffer.from(TOKEN_DOMAIN), body]));
  return `${PREFIX[signer.algorithm]}.${body.toString('base64url')}.${signature.toString('base64url')}`;
}

/**
 * The claims of a token whose form and signature are right. Throws `E_TOKEN_INVALID`: another prefix, base64url that is
 * not canonical (a decoder takes several spellings for the same bytes), claims that are not canonical JSON of exactly
 * these members, a signature of another key.
 */
export function readToken(token: string, verifier: Verifier): Claims {
  if (token.length > MAX_TOKEN) throw invalid('is too long');
  const [prefix, claimsText, signatureText, ...rest] = token.split('.');
  if (rest.length > 0 || claimsText === undefined || signatureText === undefined)
    throw invalid('has another form');
  if (prefix !== PREFIX[verifier.algorithm])
    throw invalid(`does not begin with ${PREFIX[verifier.algorithm]}, the form of this policy's algorithm`);
  const body = strictBase64url(claimsText);
  const signature = strictBase64url(signatureText);
  if (body === undefined || signature === undefined) throw invalid('is not written in canonical base64url');
  if (!verifier.verify(Buffer.concat([Buffer.from(TOKEN_DOMAIN), body]), signature))
    throw invalid('is not signed by the operator’s key');
  const text = body.toString('utf8');
  const { value, problems } = scanJson(text);
  const claims = problems.length === 0 && isObject(value) ? claimsOf(value) : undefined;
  if (claims === undefined || canonicalJson({ ...claims }) !== text) throw invalid('holds other claims');
  return claims;
}

/**
 * What the ledger keeps of an approval, beside its claims: proof that the operator's key made it, which is not the token.
 * Whoever can write the ledger cannot approve.
 */
export function approvalProof(claims: Claims, signer: Signer): string {
  return signer.sign(recordMessage(claims)).toString('base64url');
}

export function isProofOf(claims: Claims, proof: string, verifier: Verifier): boolean {
  const signature = strictBase64url(proof);
  return signature !== undefined && verifier.verify(recordMessage(claims), signature);
}

function recordMessage(claims: Claims): Buffer {
  return Buffer.from(RECORD_DOMAIN + canonicalJson({ ...claims }));
}

/** Undefined for anything that is not exactly claims. */
export function claimsOf(value: JsonObject): Claims | undefined {
  if (Object.keys(value).length !== TEXTS.length + TIMES.length) return undefined;
  if (TEXTS.some((key) => typeof own(value, key) !== 'string')) return undefined;
  if (TIMES.some((key) => !Number.isSafeInteger(own(value, key)))) return undefined;
  return value as unknown as Claims;
}

function strictBase64url(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

function invalid(what: string): AgentGateError {
  return new AgentGateError(
    'E_TOKEN_INVALID',
    `The token ${what}; approve the proposal again for a new one.`,
  );
}
