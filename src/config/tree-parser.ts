import type { ConfigNode } from './config-node.ts';
import type { ConfigFormat } from './known-files.ts';
import { parseJson } from './parse-json.ts';

/** Parses a text; `file` is its name in messages. Throws `E_CONFIG_SYNTAX`. */
export type TreeParser = (text: string, file: string) => ConfigNode;

/** JSON is in almost every repository; the parsers of the other formats load when there is such a file. */
export async function treeParser(format: ConfigFormat): Promise<TreeParser> {
  switch (format) {
    case 'toml':
      return (await import('./parse-toml.ts')).parseToml;
    case 'yaml':
      return (await import('./parse-yaml.ts')).parseYaml;
    case 'front-matter':
      return (await import('./parse-front-matter.ts')).parseFrontMatter;
    case 'json':
      return parseJson;
  }
}
