import { AgentGateError } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { isObject, type Json, own } from '../util/json.ts';
import { mapPool } from '../util/pool.ts';
import { describeProblem } from '../util/strict-json.ts';
import type { Handshake } from './handshake.ts';
import { LIMITS } from './limits.ts';
import { type ListKind, readList } from './list.ts';
import { withMember } from './request-params.ts';
import type { Session } from './session.ts';
import type { ServerSkill } from './types.ts';

const EXTENSION = 'io.modelcontextprotocol/skills';
const LIST: ListKind = { method: 'skills/list', key: 'skills', word: 'skill', name: 'uri' };

/**
 * The skills that a server offers by the MCP extension `io.modelcontextprotocol/skills` (SEP-2640), every file of each
 * read with `resources/read`; undefined when it does not declare the extension (clients then must not ask). A skill
 * whose content is `dynamic` is not read. What the entries claim is not checked here.
 *
 * Throws as `readList` does, and `E_SKILL_READ` (a file that cannot be read), `E_TOO_MANY`, `E_TOO_LARGE`, `E_UNPINNABLE`.
 */
export async function readServerSkills(
  session: Session,
  handshake: Handshake,
): Promise<ServerSkill[] | undefined> {
  const { capabilities, requestMeta } = handshake;
  const extensions = isObject(capabilities) ? own(capabilities, 'extensions') : undefined;
  if (!isObject(extensions) || own(extensions, EXTENSION) === undefined) return undefined;
  const entries = await readList(session, requestMeta, LIST, new Map());
  const uris = new Set(entries.flatMap((entry) => fileUris(entry)));
  if (uris.size > LIMITS.allSkillFiles)
    throw new AgentGateError('E_TOO_MANY', `server's skills have more than ${LIMITS.allSkillFiles} files`);
  const budget = { bytes: 0 };
  const read = await mapPool([...uris], LIMITS.skillReads, async (uri) => {
    const bytes = await readFile(session, handshake, uri, budget);
    return [uri, bytes] as const;
  });
  const contents = new Map(read);
  return entries.map((entry) => ({
    entry,
    files: new Map(
      fileUris(entry).flatMap((uri) => {
        const bytes = contents.get(uri);
        return bytes === undefined ? [] : [[uri, bytes] as const];
      }),
    ),
  }));
}

/** The URIs of a skill's files, within the limits that every client must support. */
function fileUris(entry: Json): string[] {
  const resources = isObject(entry) ? own(entry, 'resources') : undefined;
  if (!Array.isArray(resources)) return [];
  const shown = visibleLine(String(isObject(entry) ? own(entry, 'uri') : '').slice(0, 200));
  if (resources.length > LIMITS.skillFiles)
    throw new AgentGateError('E_TOO_MANY', `skill "${shown}" has more than ${LIMITS.skillFiles} files`);
  let bytes = 0;
  const uris: string[] = [];
  for (const resource of resources) {
    const uri = isObject(resource) ? own(resource, 'uri') : undefined;
    const size = isObject(resource) ? own(resource, 'size') : undefined;
    if (typeof uri === 'string') uris.push(uri);
    if (typeof size === 'number') bytes += size;
  }
  if (bytes > LIMITS.skillBytes)
    throw new AgentGateError(
      'E_TOO_LARGE',
      `skill "${shown}" takes more than ${LIMITS.skillBytes / 1024 / 1024} MiB`,
    );
  return uris;
}

async function readFile(
  session: Session,
  handshake: Handshake,
  uri: string,
  budget: { bytes: number },
): Promise<Uint8Array> {
  const answer = await session.request('resources/read', withMember(handshake.requestMeta, 'uri', uri));
  budget.bytes += answer.bytes;
  if (budget.bytes > LIMITS.surfaceBytes)
    throw new AgentGateError(
      'E_TOO_LARGE',
      `server's skills take more than ${LIMITS.surfaceBytes / 1024 / 1024} MiB`,
    );
  const shown = `file "${visibleLine(uri.slice(0, 200))}" of a skill`;
  const problem = answer.problems[0];
  if (problem !== undefined)
    throw new AgentGateError('E_UNPINNABLE', `${shown} cannot be pinned: ${describeProblem(problem)}`);
  if (!answer.ok) {
    const said = visibleLine(answer.error.message.slice(0, 200));
    throw new AgentGateError(
      'E_SKILL_READ',
      `${shown} could not be read (error ${answer.error.code ?? 'without a code'}: ${said})`,
    );
  }
  const contents = isObject(answer.result) ? own(answer.result, 'contents') : undefined;
  const bytes = Array.isArray(contents) && contents.length === 1 ? bytesOf(contents[0]) : undefined;
  if (bytes === undefined)
    throw new AgentGateError('E_SKILL_READ', `${shown} could not be read (the answer has no single content)`);
  return bytes;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The raw bytes of a content: its `text` as UTF-8, or its `blob`. */
function bytesOf(content: Json | undefined): Uint8Array | undefined {
  if (!isObject(content)) return undefined;
  const [text, blob] = [own(content, 'text'), own(content, 'blob')];
  if (typeof text === 'string') return text.isWellFormed() ? Buffer.from(text) : undefined;
  return typeof blob === 'string' && BASE64.test(blob) ? Buffer.from(blob, 'base64') : undefined;
}
