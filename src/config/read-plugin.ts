import { join } from 'node:path';
import { member, type ObjectNode } from './config-node.ts';
import { scalarText } from './read-inputs.ts';
import { type Reading, readServerMap } from './read-servers.ts';

/** Reads the servers that a Claude Code marketplace declares inline: `plugins[].mcpServers` as an object. */
export function readMarketplace(tree: ObjectNode, reading: Reading): void {
  const plugins = member(tree, 'plugins')?.node;
  if (plugins?.kind !== 'array') return;
  for (const plugin of plugins.items) {
    const servers = member(plugin, 'mcpServers')?.node;
    if (servers?.kind !== 'object') continue;
    const source = member(plugin, 'source')?.node;
    const folder = source && scalarText(source);
    const base = folder?.startsWith('./') ? join(reading.base ?? reading.root, folder) : reading.base;
    readServerMap(servers, 'mcpServers', base === undefined ? reading : { ...reading, base });
  }
}
