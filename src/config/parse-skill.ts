import { AgentGateError } from '../util/errors.ts';
import { isObject, type Json, type JsonObject, setOwn } from '../util/json.ts';
import { plain } from './config-node.ts';
import { parseYaml } from './parse-yaml.ts';

/** Characters of front matter, hundreds of times what any skill has. */
const MAX_FRONT_MATTER = 256 * 1024;

/** A `SKILL.md`: `head + body` is its text, character by character. */
export interface ParsedSkill {
  /** The front matter with its fences; `""` when there is none. */
  head: string;
  body: string;
  frontmatter: JsonObject;
}

/**
 * Parts a `SKILL.md` into front matter and body. A file without front matter is all body. `file` is the name to show.
 * Throws `E_SKILL_YAML` with line and column: front matter that does not end, bad YAML (aliases and repeated keys
 * included), or front matter that is no mapping.
 */
export function parseSkill(text: string, file: string): ParsedSkill {
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const first = lineEnd(text, bom);
  if (text.slice(bom, first).trimEnd() !== '---') return { head: '', body: text, frontmatter: {} };
  for (let start = first; start < text.length; ) {
    const end = lineEnd(text, start);
    if (text.slice(start, end).trimEnd() === '---') {
      // An empty line stands for the fence, so that the lines keep their numbers.
      const frontmatter = frontmatterOf(`\n${text.slice(first, start)}`, file);
      return { head: text.slice(0, end), body: text.slice(end), frontmatter };
    }
    start = end;
    if (start > MAX_FRONT_MATTER) break;
  }
  throw new AgentGateError(
    'E_SKILL_YAML',
    `${file}: the front matter does not end with "---" within ${MAX_FRONT_MATTER} characters.`,
    {
      file,
      line: 1,
      column: 1,
    },
  );
}

/** Behind the line feed that ends the line. */
function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at + 1;
}

function frontmatterOf(yaml: string, file: string): JsonObject {
  try {
    const value = copy(plain(parseYaml(yaml, file)) as Json);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof AgentGateError)) throw error;
    const { line, column } = error.place;
    const where = line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`;
    throw new AgentGateError('E_SKILL_YAML', `${error.message.replace(/\.$/, '')}${where}.`, error.place);
  }
  throw new AgentGateError(
    'E_SKILL_YAML',
    `${file}: the front matter is no list of "key: value" lines (line 2).`,
    { file, line: 2, column: 1 },
  );
}

/** Objects without a prototype become ordinary ones, as everywhere else in the lock. */
function copy(value: Json): Json {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  const object: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(object, key, copy(value[key] as Json));
  return object;
}
