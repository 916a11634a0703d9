import type { CaptureError } from './capture/types.ts';
import { compareServer } from './drift/compare.ts';
import type { Change } from './drift/types.ts';
import type { LockedServer } from './lock/types.ts';

/**
 * What to say when two starts of one server in a row show two surfaces: it cannot be pinned. Names the first
 * fields and proposes a mask for the policy. Undefined when both are equal.
 */
export function unstableError(
  server: string,
  first: LockedServer,
  second: LockedServer,
): CaptureError | undefined {
  const { changes } = compareServer(server, first, second, { accepted: false });
  const change = changes[0];
  if (!change) return undefined;
  const field = change.fields[0];
  const more = changes.length > 1 ? ` and ${changes.length - 1} more` : '';
  const where = `${change.kind} ${JSON.stringify(change.name)}${field ? ` at ${field.pointer || '/'}` : ''}${more}`;
  return {
    code: 'E_UNSTABLE',
    message:
      `server ${JSON.stringify(server)} showed two different surfaces in two starts (${where}); ` +
      `if the text is harmless, mask it in agentgate.yml: ${proposedMask(server, change)}`,
  };
}

function proposedMask(server: string, change: Change): string {
  const pointer = change.fields[0]?.pointer || '/description';
  const key =
    change.kind === 'instructions' ? 'instructions: true' : `${change.kind}: ${JSON.stringify(change.name)}`;
  return `servers: { ${JSON.stringify(server)}: { volatile: [{ ${key}, field: ${JSON.stringify(pointer)}, pattern: '…', reason: … }] } }`;
}
