// A server of the MCP SDK that offers skills: `node skill-server.mjs FOLDER [--dynamic] [--lie=digest|size|frontmatter]`.
// FOLDER holds the skills. `--dynamic` publishes no digests; `--lie` changes what its answers claim.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [folder, ...flags] = process.argv.slice(2);
const lie = flags.find((flag) => flag.startsWith('--lie='))?.slice('--lie='.length);

const catalog = await loadSkills(folder, { pageSize: 2, onWarning: () => {} });

function told(skill) {
  if (flags.includes('--dynamic')) return { ...skill, resources: 'dynamic' };
  if (lie === 'frontmatter')
    return { ...skill, frontmatter: { ...skill.frontmatter, description: 'Something harmless.' } };
  if (lie === undefined) return skill;
  const [first, ...rest] = skill.resources;
  const changed =
    lie === 'size' ? { ...first, size: first.size + 1 } : { ...first, digest: `sha256:${'0'.repeat(64)}` };
  return { ...skill, resources: [changed, ...rest] };
}

/** The same skills, as the flags have them. */
const source = {
  async list({ cursor }) {
    const from = Number(cursor ?? 0);
    const skills = catalog.entries.slice(from, from + 2).map(told);
    return { skills, ...(from + 2 < catalog.entries.length && { nextCursor: String(from + 2) }) };
  },
  async get(uri) {
    const found = catalog.entries.find((skill) => skill.uri === uri);
    return found && told(found);
  },
  async read(uri) {
    const path = uri.slice('skill://'.length);
    return { bytes: readFileSync(join(folder, path)) };
  },
};

if (readdirSync(folder).length === 0) process.exit(1);
serveStdio(() => {
  const server = new McpServer({ name: 'skills', version: '1.0.0' }, { capabilities: { resources: {} } });
  const skills = flags.length === 0 ? catalog : new SkillsExtension({ source, onWarning: () => {} });
  skills.attach(server);
  return server;
});
