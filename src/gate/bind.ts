import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentGateError } from '../util/errors.ts';
import { type JsonObject, own } from '../util/json.ts';
import { isOutside } from '../util/paths.ts';
import type { ToolRule } from './policy.ts';

/**
 * What an adapter adds to the state that an approval is bound to: for git the repository that the call names, or that of
 * the server's folder. Undefined for all others. Throws `E_GIT_STATE`.
 */
export async function bindState(
  rule: ToolRule,
  root: string,
  args: JsonObject,
): Promise<JsonObject | undefined> {
  if (rule.kind !== 'git') return undefined;
  const named = own(args, 'repo_path') ?? own(args, 'repo') ?? own(args, 'cwd');
  const folder = typeof named === 'string' ? resolve(root, named) : root;
  let outside = true;
  try {
    outside = isOutside(realpathSync(root), realpathSync(folder));
  } catch {
    // As below.
  }
  if (outside)
    throw new AgentGateError(
      'E_GIT_STATE',
      `The repository ${JSON.stringify(named ?? root)} is not in the server’s folder.`,
    );
  const { gitState } = await import('./git/state.ts');
  return { git: await gitState(folder) };
}
