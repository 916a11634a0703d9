import { escapedUnits, replaceHidden } from './hidden.ts';

/**
 * JSON for a terminal, or for a log that a runner reads: the same values, with every hidden character but line feeds
 * escaped (`\u202e`), and no workflow command in it.
 */
export function printableJson(json: string): string {
  const visible = replaceHidden(json, (character) =>
    character === '\n' ? character : escapedUnits(character),
  );
  return visible.replace(/#(?=#(?:vso)?\[)/gi, '\\u0023');
}
