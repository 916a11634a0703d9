import { visible } from './hidden.ts';

/**
 * What GitHub's runner takes for a workflow command, in any line that a step prints (stdout and stderr alike):
 * `::name …::` at the start of a line, white space before it ignored, and the older `##[name …]` anywhere in a
 * line (actions/runner, `src/Runner.Common/ActionCommand.cs`, `TryParseV2` and `TryParse`). Azure Pipelines reads
 * `##vso[name …]` in the same way.
 * A line ends at LF, CRLF and a lone CR. Colour codes in front do not hide a command from a careful reading here.
 */
// biome-ignore lint/complexity/useRegexLiterals: ESC and CSI are easier to read as escapes in a string.
const LINE_COMMAND = new RegExp('(^|[\\n\\r\\u0085\\u2028\\u2029])((?:\\s|\\u001b\\[[0-9;]*m)*):(?=:)', 'gu');
const OLD_COMMAND = /##(?=(?:vso)?\[)/gi;

/**
 * The text with workflow commands broken up by one visible space (`: :error`, `## [error]`); everything else,
 * our own colour codes included, stays. For text that was already made visible.
 */
export function withoutCommands(text: string): string {
  return text.replace(LINE_COMMAND, '$1$2: ').replace(OLD_COMMAND, '## ');
}

/**
 * Text from a server, a config or a pull request, made safe to print to a log or a terminal: no control codes
 * (shown as `⟨U+001B⟩`), no workflow commands. Line feeds and tabs stay.
 */
export function logSafe(text: string): string {
  return withoutCommands(visible(text));
}
