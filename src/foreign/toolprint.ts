import type { Launch } from '../config/types.ts';
import { bytesHash } from '../lock/skill-record.ts';
import { type JsonObject, own, setOwn } from '../util/json.ts';
import { plainJson } from './plain-json.ts';
import type { ForeignRule } from './types.ts';

/**
 * The rule of `toolprint` (0.1 to 0.4, its `docs/lockfile.md`): SHA-256 over the whole definition without a top-level
 * `_meta`, keys sorted, strings in NFC, arrays as they are.
 */
export const TOOLPRINT: ForeignRule = {
  namesOf(kind, definition) {
    const members =
      kind === 'resource'
        ? ['uri', 'name']
        : kind === 'resourceTemplate'
          ? ['name', 'uriTemplate']
          : ['name'];
    return members.flatMap((key) => {
      const value = own(definition, key);
      return value === undefined || value === null ? [] : [String(value)];
    });
  },
  vouch(record, definition) {
    if (record.hash !== undefined && toolprintHashes(definition).includes(record.hash))
      return { matches: true, differs: [], whole: true };
    const description = own(definition, 'description');
    const told = record.description !== undefined && record.description !== description;
    return { matches: false, differs: [told ? 'description' : ''], whole: true };
  },
  skill: (name, text) => toolprintSkill(text, `${name}/SKILL.md`),
};

/** By the documented rule, and by what its code makes of keys that are numbers; both name one definition only. */
function toolprintHashes(definition: JsonObject): string[] {
  const { _meta, ...rest } = definition;
  return [false, true].map((indicesFirst) => bytesHash(plainJson(rest, { nfc: true, indicesFirst })));
}

/**
 * What toolprint hashes of a skill: front matter and body of its `SKILL.md` as texts, with its name, its path below the
 * skills folder and its description.
 */
function toolprintSkill(text: string, path: string): JsonObject {
  const plain = text.replaceAll('\r\n', '\n');
  const end = plain.startsWith('---\n') ? plain.indexOf('\n---', 3) : -1;
  const frontmatter = end === -1 ? '' : plain.slice(4, end + 1);
  const rest = end === -1 ? plain : plain.slice(end + 4);
  const instructions = end !== -1 && rest.startsWith('\n') ? rest.slice(1) : rest;
  const name = scalar(frontmatter, 'name') ?? path.split('/').at(-2) ?? '';
  const description = scalar(frontmatter, 'description');
  const definition: JsonObject = { name, path, frontmatter, instructions };
  if (description !== undefined) setOwn(definition, 'description', description);
  return definition;
}

/** The first top-level `key: value` of a front matter that is read line by line, without its quotes. */
function scalar(frontmatter: string, key: string): string | undefined {
  for (const line of frontmatter.split('\n')) {
    const [, name, rest = ''] = /^([A-Za-z0-9_-]+)\s*:\s*(.*)$/.exec(line) ?? [];
    if (name !== key) continue;
    const value = rest.trim();
    const quote = value.at(0);
    const quoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote);
    return (quoted ? value.slice(1, -1) : value).trim() || undefined;
  }
  return undefined;
}

/** The source that toolprint notes of a server: its command line, or its URL, as the config has them. */
export function toolprintSource(launch: Launch): string {
  return launch.transport === 'stdio' ? [launch.command, ...launch.args].join(' ') : launch.url;
}
