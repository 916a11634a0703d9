import { AgentGateError } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { describeProblem } from '../util/strict-json.ts';
import { LIMITS } from './limits.ts';
import { withMember } from './request-params.ts';
import type { Session } from './session.ts';

/**
 * The URIs of the pages that tools bring along: `_meta.ui.resourceUri` (MCP Apps 2026-01-26), its older flat form
 * `_meta["ui/resourceUri"]`, and `_meta["openai/outputTemplate"]`. Each once, in the tools' order.
 */
function uiResourceUris(tools: readonly Json[]): string[] {
  const uris = new Set<string>();
  for (const tool of tools) {
    const meta = isObject(tool) ? own(tool, '_meta') : undefined;
    if (meta === undefined || !isObject(meta)) continue;
    const ui = own(meta, 'ui');
    const named = [
      isObject(ui) ? own(ui, 'resourceUri') : undefined,
      own(meta, 'ui/resourceUri'),
      own(meta, 'openai/outputTemplate'),
    ];
    for (const uri of named) if (typeof uri === 'string' && uri !== '') uris.add(uri);
  }
  return [...uris];
}

/**
 * Reads those pages, as a host would (they may be missing in `resources/list`): URI to the content object, or to
 * `{contents: […]}` when there is not exactly one. What cannot be read is a note; a connection that ends, or more than
 * 64 pages or 16 MiB, throws.
 */
export async function readUiResources(
  session: Session,
  requestMeta: JsonObject,
  tools: readonly Json[],
): Promise<{ resources: Map<string, JsonObject>; notes: string[] }> {
  const uris = uiResourceUris(tools);
  const resources = new Map<string, JsonObject>();
  const notes: string[] = [];
  if (uris.length > LIMITS.uiResources)
    throw new AgentGateError(
      'E_TOO_MANY',
      `server's tools name more than ${LIMITS.uiResources} UI resources`,
    );
  let bytes = 0;
  for (const uri of uris) {
    const answer = await session.request('resources/read', withMember(requestMeta, 'uri', uri));
    bytes += answer.bytes;
    if (bytes > LIMITS.uiBytes)
      throw new AgentGateError(
        'E_TOO_LARGE',
        `server's UI resources take more than ${LIMITS.uiBytes / 1024 / 1024} MiB`,
      );
    const shown = `UI resource "${visibleLine(uri.slice(0, 200))}"`;
    const problem = answer.problems[0];
    if (problem !== undefined)
      throw new AgentGateError('E_UNPINNABLE', `${shown} cannot be pinned: ${describeProblem(problem)}`);
    if (!answer.ok) {
      const said = visibleLine(answer.error.message.slice(0, 200));
      notes.push(`${shown} could not be read (error ${answer.error.code ?? 'without a code'}: ${said})`);
      continue;
    }
    const contents = isObject(answer.result) ? own(answer.result, 'contents') : undefined;
    if (!Array.isArray(contents)) {
      notes.push(`${shown} could not be read (the answer has no contents)`);
      continue;
    }
    const only = contents[0];
    resources.set(uri, contents.length === 1 && isObject(only) ? only : { contents });
  }
  return { resources, notes };
}
