import { resolveServer } from '../../config/expand.ts';
import { type LoadOptions, loadConfigs } from '../../config/load.ts';
import { serverPolicy } from '../../config/policy.ts';
import { deriveSource } from '../../config/source.ts';
import type { Policy } from '../../config/types.ts';
import { type ServerPlaces, serverPlaces } from './server-places.ts';

/**
 * Where the paths of a declared server lead. Of one whose config or variables cannot be read, only absolute paths are known.
 * Never throws.
 */
export async function declaredPlaces(
  server: string,
  options: LoadOptions & { env: NodeJS.ProcessEnv; policy: Policy },
): Promise<ServerPlaces> {
  const { cwd, env, policy } = options;
  let root = cwd;
  try {
    const declared = (await loadConfigs(options)).servers.find(({ key }) => key === server);
    if (declared === undefined) return { root, bases: [] };
    root = declared.root;
    const resolved = resolveServer(declared, { env, policy: serverPolicy(policy, server), cwd });
    return serverPlaces(resolved, deriveSource(declared.launch, { root }));
  } catch {
    return { root, bases: [] };
  }
}
