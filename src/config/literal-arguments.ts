import { programName } from './command-line.ts';
import { ownSyntax } from './references.ts';
import { deriveOrigin } from './source.ts';
import type { ClientId, StdioLaunch } from './types.ts';

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh']);

/**
 * Arguments whose `${NAME}` is for the program to expand, by index. mcp-remote expands the values of its `--header`
 * itself: kept as they are, the secret stays out of the process list. A shell expands its script, where the client
 * would not.
 */
export function literalArguments(
  launch: StdioLaunch,
  client: ClientId,
): Map<number, 'required' | 'optional'> {
  const literal = new Map<number, 'required' | 'optional'>();
  if (deriveOrigin(launch, {}).via?.package === 'mcp-remote') {
    for (const [index, arg] of launch.args.entries()) {
      if (launch.args[index - 1] === '--header' || arg.startsWith('--header='))
        literal.set(index, 'required');
    }
  }
  const expands = ownSyntax(client) === '${NAME}';
  if (!expands && SHELLS.has(programName(launch.command))) {
    const script = launch.args.findIndex(
      (arg, index) => /^-\w*c$/.test(launch.args[index - 1] ?? '') && arg !== '',
    );
    if (script >= 0) literal.set(script, 'optional');
  }
  return literal;
}
