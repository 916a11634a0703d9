import { memberAt, type ObjectNode, refuseDuplicates } from './config-node.ts';
import { problemOf } from './config-problem.ts';
import { readLaunch } from './entry-launch.ts';
import { scalarText } from './read-inputs.ts';
import { addServer, checkName, type Reading } from './read-servers.ts';

/**
 * Reads the manifest of an MCPB (formerly DXT) bundle: `server.mcp_config`, keyed by `name`. Any other
 * `manifest.json` declares nothing. `platform_overrides` are not applied: the lock is one for every machine.
 */
export function readBundle(tree: ObjectNode, reading: Reading): void {
  const config = memberAt(tree, ['server', 'mcp_config']);
  const isBundle = memberAt(tree, ['manifest_version']) ?? memberAt(tree, ['dxt_version']);
  if (!config || !isBundle) return;
  const named = memberAt(tree, ['name'])?.node;
  const name = (named && scalarText(named)) ?? 'bundle';
  try {
    checkName(name, config.place, reading.file);
    refuseDuplicates(reading.file, tree, reading.file);
    if (config.node.kind !== 'object') return;
    const launch = readLaunch(config.node, {
      client: 'mcpb',
      file: reading.file,
      root: reading.root,
      name,
      note: (code, message) => reading.result.notes.push({ code, message, file: reading.file, server: name }),
    });
    addServer(name, config.place, launch, reading);
  } catch (error) {
    reading.result.errors.push(problemOf(error, reading.file, name));
  }
}
