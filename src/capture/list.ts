import { AgentGateError } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { describeProblem, type JsonProblem } from '../util/strict-json.ts';
import { LIMITS } from './limits.ts';
import { TOO_MUCH } from './memory.ts';
import { withMember } from './request-params.ts';
import type { ListName, Session } from './session.ts';

export interface Lists {
  tools: Json[];
  prompts: Json[];
  resources: Json[];
  resourceTemplates: Json[];
}

/** A list of a server and how it is asked for. */
export interface ListKind {
  method: string;
  /** The member of the result that holds it. */
  key: string;
  /** What its items are called in a sentence. */
  word: string;
  /** The member that names an item. */
  name: string;
}

interface SurfaceList extends ListKind {
  key: keyof Lists;
  /** The `list_changed` that concerns it. */
  changedBy: ListName;
}

const KINDS: readonly SurfaceList[] = [
  { method: 'tools/list', key: 'tools', word: 'tool', name: 'name', changedBy: 'tools' },
  { method: 'prompts/list', key: 'prompts', word: 'prompt', name: 'name', changedBy: 'prompts' },
  { method: 'resources/list', key: 'resources', word: 'resource', name: 'uri', changedBy: 'resources' },
  {
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    word: 'resource template',
    name: 'uriTemplate',
    changedBy: 'resources',
  },
];

/** JSON-RPC: method not found. */
const METHOD_NOT_FOUND = -32601;

/** What the lists took so far. */
export interface Budget {
  bytes: number;
  items: number;
  values: number;
  weight: number;
}

/**
 * Reads all four lists, page by page, also those that the server does not advertise (a server could hide tools from
 * strict clients that way); `-32601` is an empty list. A list of which the server says meanwhile that it changed is read
 * again until it is the same twice. `requestMeta` goes into the params of every request.
 *
 * Throws, and never gives a shorter surface: `E_LIST` (an error answer, no array, the deadline), `E_CURSOR_LOOP`,
 * `E_TOO_MANY` (1,000 pages, 10,000 items), `E_TOO_LARGE` (64 MiB, a million values, more than all servers of a run may take), `E_UNPINNABLE` (an answer that can be read in two
 * ways), `E_UNSTABLE`, and what the session throws when the connection ends.
 *
 * With `ignoreResources` (the policy's `resources: ignore`: they are data, and not pinned) an error of that one list is
 * passed to `note` instead.
 */
export async function listAll(
  session: Session,
  requestMeta: JsonObject,
  options: { ignoreResources?: boolean; note?: (text: string) => void } = {},
): Promise<Lists> {
  const lists: Lists = { tools: [], prompts: [], resources: [], resourceTemplates: [] };
  const sizes = new Map<string, Budget>();
  for (const kind of KINDS) {
    try {
      lists[kind.key] = await readList(session, requestMeta, kind, sizes);
    } catch (error) {
      const ignored = kind.key === 'resources' && options.ignoreResources === true;
      if (!ignored || !(error instanceof AgentGateError) || error.code !== 'E_LIST') throw error;
      options.note?.(`resources are ignored and could not be listed: ${error.message}`);
    }
  }
  // A list that changes while it is read again is caught by the next round.
  for (let round = 0; session.changed.size > 0; round++) {
    const changed = new Set(session.changed);
    session.changed.clear();
    for (const kind of KINDS)
      if (changed.has(kind.changedBy))
        lists[kind.key] = await readUntilStable(session, requestMeta, kind, sizes, lists[kind.key]);
    // Some servers say it at every listing; each list was the same twice, which is all that can be asked.
    if (round >= 1) break;
  }
  return lists;
}

async function readUntilStable(
  session: Session,
  requestMeta: JsonObject,
  kind: ListKind,
  sizes: Map<string, Budget>,
  first: Json[],
): Promise<Json[]> {
  let last = first;
  for (let read = 0; read < LIMITS.relists; read++) {
    const next = await readList(session, requestMeta, kind, sizes);
    if (sameItems(last, next)) return next;
    last = next;
  }
  throw new AgentGateError(
    'E_UNSTABLE',
    `server keeps changing its ${kind.word}s: ${LIMITS.relists + 1} answers to ${kind.method} in a row differ`,
  );
}

/** The order of a list means nothing. */
function sameItems(a: Json[], b: Json[]): boolean {
  if (a.length !== b.length) return false;
  const texts = (items: Json[]): string[] => items.map((item) => JSON.stringify(item)).sort();
  const other = texts(b);
  return texts(a).every((text, index) => text === other[index]);
}

/**
 * Reads one list, page by page. `sizes` holds what each method took so far, for limits over all of them. Throws as
 * {@link listAll} does.
 */
export async function readList(
  session: Session,
  requestMeta: JsonObject,
  kind: ListKind,
  sizes: Map<string, Budget>,
): Promise<Json[]> {
  const items: Json[] = [];
  const size: Budget = { bytes: 0, items: 0, values: 0, weight: 0 };
  sizes.set(kind.method, size);
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    if (page > LIMITS.pagesPerList)
      throw new AgentGateError(
        'E_TOO_MANY',
        `server gave more than ${LIMITS.pagesPerList} pages of ${kind.method}`,
      );
    const params = cursor === undefined ? requestMeta : withMember(requestMeta, 'cursor', cursor);
    const answer = await ask(session, kind, params);
    if (!answer.ok) {
      if (answer.error.code === METHOD_NOT_FOUND && page === 1) return [];
      const said = visibleLine(answer.error.message.slice(0, 300));
      throw new AgentGateError(
        'E_LIST',
        `server answered ${kind.method} with error ${answer.error.code ?? 'without a code'}: ${said}`,
      );
    }
    const { result, problems } = answer;
    if (problems.length > 0) throw unpinnable(kind, result, problems, items.length);
    if (!isObject(result))
      throw new AgentGateError('E_LIST', `server answered ${kind.method} with no object`);
    const resultType = own(result, 'resultType');
    if (resultType !== undefined && resultType !== 'complete')
      throw new AgentGateError('E_LIST', `server answered ${kind.method} with no complete result`);
    const found = own(result, kind.key);
    if (!Array.isArray(found))
      throw new AgentGateError(
        'E_LIST',
        `server answered ${kind.method} with "${kind.key}" ${found === undefined ? 'missing' : 'that is no array'}`,
      );
    for (const item of found) items.push(item);
    size.bytes += answer.bytes;
    size.values += answer.values;
    size.weight += answer.weight;
    size.items = items.length;
    checkBudget(sizes, session);
    const next = own(result, 'nextCursor');
    // `null` ends a list by custom; "" is followed once, as it is a string like any other.
    if (next === undefined || next === null) return items;
    if (typeof next !== 'string')
      throw new AgentGateError(
        'E_LIST',
        `server answered ${kind.method} with a nextCursor that is no string`,
      );
    if (seen.has(next))
      throw new AgentGateError('E_CURSOR_LOOP', `server gave the same nextCursor of ${kind.method} twice`);
    seen.add(next);
    cursor = next;
  }
}

async function ask(session: Session, kind: ListKind, params: JsonObject) {
  try {
    return await session.request(kind.method, params);
  } catch (error) {
    if (error instanceof AgentGateError && error.code === 'E_TIMEOUT')
      throw new AgentGateError('E_LIST', error.message);
    throw error;
  }
}

function checkBudget(sizes: ReadonlyMap<string, Budget>, session: Session): void {
  let bytes = 0;
  let items = 0;
  let values = 0;
  let weight = 0;
  for (const size of sizes.values()) {
    bytes += size.bytes;
    items += size.items;
    values += size.values;
    weight += size.weight;
  }
  if (items > LIMITS.capabilities)
    throw new AgentGateError('E_TOO_MANY', `server lists more than ${LIMITS.capabilities} capabilities`);
  if (bytes > LIMITS.surfaceBytes)
    throw new AgentGateError(
      'E_TOO_LARGE',
      `server's lists take more than ${LIMITS.surfaceBytes / 1024 / 1024} MiB`,
    );
  if (values > LIMITS.values)
    throw new AgentGateError('E_TOO_LARGE', `server's lists hold more than ${LIMITS.values} values`);
  if (!session.memory.holdAnswers(weight)) throw new AgentGateError('E_TOO_LARGE', `server ${TOO_MUCH}`);
}

/** Names the capability that the first problem sits in, and the place inside of its definition. */
function unpinnable(kind: ListKind, result: Json, problems: JsonProblem[], before: number): AgentGateError {
  const problem = problems[0] as JsonProblem;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const [, index, inside] = new RegExp(`^/result/${kind.key}/(\\d+)(.*)$`, 's').exec(problem.pointer) ?? [];
  if (index === undefined)
    return new AgentGateError(
      'E_UNPINNABLE',
      `server's answer to ${kind.method} cannot be pinned: ${describeProblem(problem)}${more}`,
    );
  const list = isObject(result) ? own(result, kind.key) : undefined;
  const item = Array.isArray(list) ? list[Number(index)] : undefined;
  const name = item !== undefined && isObject(item) ? own(item, kind.name) : undefined;
  const which =
    typeof name === 'string'
      ? `${kind.word} "${visibleLine(name.slice(0, 200))}"`
      : `${kind.word} number ${before + Number(index) + 1}`;
  return new AgentGateError(
    'E_UNPINNABLE',
    `${which} cannot be pinned: ${describeProblem({ ...problem, pointer: inside ?? '' })}${more}`,
  );
}
