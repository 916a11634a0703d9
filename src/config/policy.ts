import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentGateError } from '../util/errors.ts';
import { readConfigFile } from './config-files.ts';
import type { Policy, ServerPolicy } from './types.ts';

/** Where the policy may lie, relative to the working directory. */
export const POLICY_FILES = ['agentgate.yml', '.github/agentgate.yml'] as const;

/** What holds without a policy file. */
export const NO_POLICY: Policy = { servers: new Map(), suppress: [] };

/**
 * Reads and checks the policy of a working directory; {@link NO_POLICY} when there is none. Throws `E_POLICY` (with line
 * and column, one sentence for the first thing wrong) and `E_POLICY_TWICE` when both files exist.
 */
export async function loadPolicy(cwd: string): Promise<Policy> {
  const present: string[] = [];
  for (const file of POLICY_FILES) if (await isThere(join(cwd, file))) present.push(file);
  const [file, other] = present;
  if (file === undefined) return NO_POLICY;
  if (other !== undefined) {
    throw new AgentGateError('E_POLICY_TWICE', `There are both ${file} and ${other}; keep one.`, {
      file: other,
    });
  }
  const text = await readConfigFile(cwd, file);
  const { parsePolicy } = await import('./policy-parse.ts');
  return parsePolicy(text, file);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

/** The policy of one server; the defaults when the file has none for this key. */
export function serverPolicy(policy: Policy, key: string): ServerPolicy {
  return policy.servers.get(key) ?? defaultServerPolicy();
}

/** A server's policy when nothing is said. */
export function defaultServerPolicy(): ServerPolicy {
  return { env: new Map(), passEnv: [], resources: 'pin', home: 'private', network: 'inherit', volatile: [] };
}
