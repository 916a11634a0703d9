import { basename, dirname, posix } from 'node:path';
import { AgentGateError } from '../util/errors.ts';
import type { JsonObject } from '../util/json.ts';
import { namedPaths } from './checkpoints/named-paths.ts';

/**
 * Refuses a call, whatever its tier, that names the operator's key or what lies beside it (`E_PERM`), so that the try is in
 * the ledger. Isolation and the operating system keep the file itself: this is no more than a witness, and it knows paths by
 * their last segments, in any spelling without links.
 */
export function refuseOperatorFiles(args: JsonObject, keyFile: string): void {
  const folder = dirname(keyFile);
  const own = `/${basename(dirname(folder))}/${basename(folder)}`;
  for (const { text, sure } of namedPaths(args)) {
    if (!sure && /\s/.test(text)) continue;
    const path = plain(text);
    // A folder that holds more than the operator's files is not the operator's own.
    const within = own.endsWith('/agentgate') && `${path}/`.includes(`${own}/`);
    if (within || path.includes(`${own}/${basename(keyFile)}`))
      throw new AgentGateError('E_PERM', 'What lies with the operator’s key is for operators.');
  }
}

function plain(text: string): string {
  let path = text.trim().replace(/^file:\/\//i, '');
  try {
    path = decodeURIComponent(path);
  } catch {
    // As it is.
  }
  return posix.normalize(`/${path.replaceAll('\\', '/')}`);
}
