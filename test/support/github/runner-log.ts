/** A workflow command as the runner would carry it out. */
export interface RunnerCommand {
  command: string;
  properties: Record<string, string>;
  message: string;
}

const V2_ESCAPES: [string, string][] = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%3A', ':'],
  ['%2C', ','],
  ['%25', '%'],
];
const V1_ESCAPES: [string, string][] = [
  ['%3B', ';'],
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%5D', ']'],
  ['%25', '%'],
];

/**
 * Every line of a step's output that the runner takes for a command, by its own rules (actions/runner,
 * `src/Runner.Common/ActionCommand.cs`): `::name …::` after white space at the start of a line, `##[name …]`
 * anywhere in it; a line ends at LF, CRLF and a lone CR. The runner knows a fixed set of names; here any counts.
 */
export function runnerCommands(log: string): RunnerCommand[] {
  return log.split(/\r\n|\n|\r/).flatMap((line) => {
    const command = parseV2(line) ?? parseV1(line);
    return command ? [command] : [];
  });
}

function parseV2(line: string): RunnerCommand | undefined {
  const trimmed = line.trimStart();
  if (!trimmed.startsWith('::')) return undefined;
  const end = trimmed.indexOf('::', 2);
  if (end < 0) return undefined;
  return parse(trimmed.slice(2, end), trimmed.slice(end + 2), ',', V2_ESCAPES);
}

function parseV1(line: string): RunnerCommand | undefined {
  const start = line.indexOf('##[');
  const end = start < 0 ? -1 : line.indexOf(']', start);
  return end < 0 ? undefined : parse(line.slice(start + 3, end), line.slice(end + 1), ';', V1_ESCAPES);
}

function parse(head: string, message: string, separator: string, escapes: [string, string][]): RunnerCommand {
  const space = head.indexOf(' ');
  const properties: Record<string, string> = {};
  if (space >= 0)
    for (const pair of head
      .slice(space + 1)
      .trim()
      .split(separator)) {
      const equals = pair.indexOf('=');
      if (equals > 0) properties[pair.slice(0, equals)] = unescaped(pair.slice(equals + 1), escapes);
    }
  return {
    command: space < 0 ? head : head.slice(0, space),
    properties,
    message: unescaped(message, escapes),
  };
}

function unescaped(text: string, escapes: [string, string][]): string {
  return escapes.reduce((sum, [code, character]) => sum.replaceAll(code, character), text);
}
