import { hash } from 'node:crypto';
import { type Json, own } from '../util/json.ts';
import { plainJson } from './plain-json.ts';
import type { ForeignRule } from './types.ts';

/**
 * The rule of the npm package `mcp-agentgate` (its `docs/spec/lockfile-v1.md`, frozen; v2 only adds files): bare
 * hexadecimal SHA-256 of the name, of the description (`""` when absent) and of the input schema (`{}` when absent) as
 * JSON with sorted keys. Titles, annotations, output schemas and everything else are not covered.
 */
export const MCP_AGENTGATE: ForeignRule = {
  namesOf(kind, definition) {
    const name = own(definition, 'name');
    return kind === 'tool' && typeof name === 'string' ? [name] : [];
  },
  vouch(record, definition) {
    const [name, description, schema] = ['name', 'description', 'inputSchema'].map((key) =>
      own(definition, key),
    );
    const differs: ('' | 'description' | 'inputSchema')[] = [];
    if (hexOf(textOr(name, '')) !== record.nameHash) differs.push('');
    if (hexOf(textOr(description, '')) !== record.descriptionHash) differs.push('description');
    if (schemaHex(schema) !== record.inputSchemaHash) differs.push('inputSchema');
    return { matches: differs.length === 0, differs, whole: false };
  },
};

/** Its version 2 pins instruction files by the bare hexadecimal SHA-256 of their bytes; here the `SKILL.md` of skills. */
export const MCP_AGENTGATE_SKILLS: ForeignRule = {
  namesOf(kind, definition) {
    const name = own(definition, 'name');
    return kind === 'skill' && typeof name === 'string' ? [name] : [];
  },
  vouch(record, definition) {
    const matches = record.hash === hexOf(textOr(own(definition, 'text'), ''));
    return { matches, differs: matches ? [] : [''], whole: true };
  },
  skill: (name, text) => ({ name, text }),
};

/** `surfaceHash` of a server: over the hashes of its tools, in their order in the lock. */
export function mcpAgentgateSurface(tools: readonly (readonly string[])[]): string {
  return hexOf(
    plainJson(
      tools.map((tool) => [...tool]),
      PLAIN,
    ),
  );
}

/** SHA-256, bare hexadecimal, of a text's UTF-8 bytes or of bytes. */
export function hexOf(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

const PLAIN = { nfc: false, indicesFirst: false };

function schemaHex(schema: Json | undefined): string {
  return hexOf(plainJson(schema ?? {}, PLAIN));
}

function textOr(value: Json | undefined, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
