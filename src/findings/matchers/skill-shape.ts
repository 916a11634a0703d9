import { isObject, type Json, own, pointer } from '../../util/json.ts';
import type { PlaceHit, SkillContext } from '../rule.ts';

/** `` !`command` `` in a skill's body runs when the skill is loaded; so does a fence that opens with `!`. */
const LOAD_TIME = /(?<![\w`\\])!`[^`\n]{1,2000}`|^[ \t]{0,3}(?:`{3,8}|~{3,8})!/gm;

export function loadTimeCommands({ body }: SkillContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  for (const match of body.matchAll(LOAD_TIME)) {
    hits.push({
      pointer: '/body',
      shown: body,
      start: match.index,
      end: match.index + match[0].length,
      message: 'runs a command when the skill is loaded',
    });
    if (hits.length === 5) break;
  }
  return hits;
}

const SHELL_TOOLS =
  /^(?:bash|shell|powershell|terminal|execute|run_in_terminal|run_shell_command|run_terminal_cmd|exec)$/i;

/** Splits `Bash(git add:*) Read, Write` at blanks and commas outside of brackets. */
function toolList(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string');
  if (typeof value !== 'string') return [];
  return value.slice(0, 65_536).match(/[^\s,()]{1,200}(?:\([^()]{0,2000}\))?/g) ?? [];
}

/** `allowed-tools` that let a skill run any command unasked. */
export function unscopedTools({ frontmatter }: SkillContext): PlaceHit[] {
  if (!isObject(frontmatter)) return [];
  for (const key of ['allowed-tools', 'allowedTools', 'tools']) {
    const value = own(frontmatter, key);
    const wide = toolList(value).find((tool) => {
      const [, name = '', scope] = /^([^(]*)(?:\((.*)\))?$/s.exec(tool.trim()) ?? [];
      if (name === '*' || /^all$/i.test(name) || name === 'mcp__*') return true;
      return SHELL_TOOLS.test(name) && (scope === undefined || /^[\s:*]*$/.test(scope));
    });
    if (wide !== undefined)
      return [
        {
          pointer: `/frontmatter/${key}`,
          shown: Array.isArray(value) ? value.join(', ') : String(value),
          message: `allows "${wide.slice(0, 60)}" without a limit`,
        },
      ];
  }
  return [];
}

/** Hooks run commands on events, long after the skill was read. */
export function hooks({ frontmatter, record }: SkillContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  const value = isObject(frontmatter) ? own(frontmatter, 'hooks') : undefined;
  if (
    value !== undefined &&
    value !== null &&
    JSON.stringify(value) !== '{}' &&
    JSON.stringify(value) !== '[]'
  )
    hits.push({
      pointer: '/frontmatter/hooks',
      shown: JSON.stringify(value),
      message: 'installs hooks that run commands',
    });
  for (const { path } of filesOf(record)) {
    if (/(?:^|\/)\.claude-plugin\/plugin\.json$|(?:^|\/)hooks\/hooks\.json$/.test(path))
      hits.push({
        pointer: pointer('files', path),
        shown: path,
        message: 'makes the skill a plugin, which can bring hooks and servers',
      });
  }
  return hits;
}

interface SkillFile {
  path: string;
  link?: string;
}

function filesOf(record: SkillContext['record']): SkillFile[] {
  return [...(record.files ?? [])].map(([path, { link }]) => ({
    path,
    ...(link !== undefined && path !== '.' ? { link } : {}),
  }));
}

/** Content that a server makes up anew each time has no digests: only its entry is pinned. */
export function dynamicContent({ record }: SkillContext): PlaceHit[] {
  if (record.definition === undefined || own(record.definition, 'resources') !== 'dynamic') return [];
  return [
    {
      pointer: '/resources',
      shown: 'dynamic',
      message: 'says that the skill’s content is made at run time, so that it cannot be pinned',
    },
  ];
}

/** Links in Markdown, and `@path` imports. */
const LINK =
  /\]\(\s{0,4}<?((?:\.\.\/|\/|~\/|file:|[A-Za-z]:[\\/])[^)\s>]{1,400})|(?:^|\s)@((?:\.\.\/|\/|~\/)[^\s)`'"]{1,400})/gm;

/** Links that lead out of the skill's folder: what they point to is not pinned. */
export function linksOut({ body, record }: SkillContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  for (const { path, link } of filesOf(record)) {
    if (link !== undefined && leaves(path, link))
      hits.push({
        pointer: pointer('files', path),
        shown: `${path} → ${link}`,
        message: 'is a link that leaves the skill’s folder',
        severity: 'medium',
      });
  }
  for (const match of body.matchAll(LINK)) {
    hits.push({
      pointer: '/body',
      shown: body,
      start: match.index,
      end: match.index + match[0].length,
      message: 'links to a file outside of the skill’s folder',
    });
    if (hits.length >= 5) break;
  }
  return hits;
}

function leaves(path: string, link: string): boolean {
  if (/^(?:\/|~|[A-Za-z]:|\\\\)/.test(link)) return true;
  let depth = path.split('/').length - 1;
  for (const part of link.replaceAll('\\', '/').split('/')) {
    if (part === '..') depth--;
    else if (part !== '.' && part !== '') depth++;
    if (depth < 0) return true;
  }
  return false;
}
