import { type ConfigNode, syntax } from './config-node.ts';
import { parseYaml } from './parse-yaml.ts';

/**
 * Parses the YAML between the first two `---` lines of a Markdown file (Copilot's agent profiles). A file without
 * is an empty object. Throws `E_CONFIG_SYNTAX` with the line in the file.
 */
export function parseFrontMatter(text: string, file: string): ConfigNode {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const lines = body.split('\n');
  if (lines[0]?.trimEnd() !== '---') return { kind: 'object', place: { line: 1, column: 1 }, members: [] };
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end < 0)
    throw syntax(file, { line: 1, column: 1 }, `${file}: the front matter does not end with "---".`);
  // An empty line stands for the fence, so that the lines keep their numbers.
  return parseYaml(`\n${lines.slice(1, end).join('\n')}`, file);
}
