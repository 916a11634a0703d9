/** The head of an uncaught error as Node.js prints it, above the stack. */
const NODE_ERROR = /^[\w.$]*(?:Error|Exception)(?: \[\w+\])?: /;
/** npm's last line about any failure. */
const NPM_LOG = /^npm (?:error|ERR!) A complete log of this run can be found in/;

/** What docker and podman add to any failure. */
const TOOL_HELP =
  /^(?:Run '\S+ run --help' for more information|See '\S+ run --help'\.?|Try '\S+ run --help'.*)$/;

/**
 * The last line of what a server or launcher printed that says something, cut at 300 UTF-16 code units; undefined
 * when there is none. Below a crash of Node.js that is its release: then the error's own line. To be given redacted
 * text, since a cut can leave half a secret.
 */
export function lastWords(text: string): string | undefined {
  const lines = text
    .split(/\r?\n/)
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !NPM_LOG.test(line) && !TOOL_HELP.test(line.trim()));
  const last = lines.at(-1);
  const line = /^Node\.js v\d/.test(last ?? '')
    ? (lines.findLast((each) => NODE_ERROR.test(each)) ?? last)
    : last;
  return line?.trim().slice(0, 300);
}
