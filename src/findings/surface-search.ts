import type { LockedServer } from '../lock/types.ts';
import { append } from '../util/append.ts';
import { isObject } from '../util/json.ts';
import { type Capability, CapabilitySearch, capabilitiesOf } from './capability.ts';
import type { Rule } from './rule.ts';
import { askedNames, foreignTools, toolOwners, viewOf } from './server-view.ts';
import type { Finding } from './types.ts';

/** Milliseconds of one turn, after which servers that still run are heard. */
const TURN_MS = 5;
/** Milliseconds of all turns: a hostile surface must not take the time that other servers have. The rest waits. */
const MAX_TURNS_MS = 2_000;
/** UTF-16 units of all texts of a capability; patterns take up to 4 µs a unit. A longer one waits. */
const MAX_UNITS = 20_000;
/** Names kept of one server. One whose texts name more waits. */
const MAX_ASKED = 10_000;

/** What was found in one capability, given that no other server has a tool of the names that rules asked for. */
interface Early {
  found: Finding[];
  asked: readonly string[];
}

/**
 * What rules find in the capabilities of servers. A server may be looked at as soon as its surface is pinned. What a
 * text means may depend on the tools of other servers: the names that rules ask for are kept, and a capability is
 * looked at again when another server has a tool of such a name. So the findings are those of all surfaces at once.
 */
export class SurfaceSearch {
  private readonly search: CapabilitySearch;
  /** By key; of the first capabilities, in their order. */
  private readonly early = new Map<string, { server: LockedServer; done: (Early | undefined)[] }>();
  /** Each step looks at one capability. */
  private steps: Iterator<unknown>[] = [];
  private left = MAX_TURNS_MS;

  constructor(rules: readonly Rule[]) {
    this.search = new CapabilitySearch(rules);
  }

  /** Findings that only smell: they raise nothing. */
  get faints(): ReadonlySet<Finding> {
    return this.search.faints;
  }

  /** Looks at a server in the turns to come, until `findIn`; what is long or takes long is left to that. Never throws. */
  begin(key: string, server: LockedServer): void {
    if (this.left <= 0) return;
    const done: (Early | undefined)[] = [];
    this.early.set(key, { server, done });
    this.steps.push(this.lookEarly(key, server, done));
    if (this.steps.length === 1) setImmediate(() => this.turn());
  }

  /** The findings in all of `servers`, in their order. What was looked at early is used once. */
  findIn(servers: ReadonlyMap<string, LockedServer>): Finding[] {
    const owners = toolOwners(servers);
    const found: Finding[] = [];
    for (const [key, server] of servers) {
      const foreign = foreignTools(key, server, servers, owners);
      const view = viewOf(key, server, foreign);
      const early = this.early.get(key);
      const done = early?.server === server ? early.done : [];
      let index = 0;
      for (const capability of capabilitiesOf(server)) {
        const known = done[index++];
        const holds = known !== undefined && !known.asked.some((name) => foreign.has(name));
        append(found, holds ? known.found : this.search.findIn(capability, view));
      }
    }
    this.steps = [];
    this.early.clear();
    return found;
  }

  private turn(): void {
    const start = performance.now();
    let took = 0;
    for (let [first] = this.steps; first !== undefined && took < TURN_MS; [first] = this.steps) {
      if (isDone(first)) this.steps.shift();
      took = performance.now() - start;
    }
    this.left -= took;
    if (this.left <= 0) this.steps = [];
    else if (this.steps.length > 0) setImmediate(() => this.turn());
  }

  private *lookEarly(key: string, server: LockedServer, done: (Early | undefined)[]): Generator<undefined> {
    const names = askedNames();
    const view = viewOf(key, server, names.foreign);
    let asked = 0;
    for (const capability of capabilitiesOf(server)) {
      if (isShort(capability)) {
        const found = this.search.findIn(capability, view);
        const those = names.take();
        asked += those.length;
        if (asked > MAX_ASKED) return;
        done.push({ found, asked: those });
      } else done.push(undefined);
      yield;
    }
  }
}

function isShort({ definition, record }: Capability): boolean {
  const left: unknown[] = [definition, record.meta, record.content];
  for (const { text } of record.files?.values() ?? []) left.push(text);
  let units = 0;
  while (left.length > 0) {
    const value = left.pop();
    units += typeof value === 'string' ? value.length : 1;
    if (units > MAX_UNITS) return false;
    if (Array.isArray(value)) append(left, value);
    else if (isObject(value))
      for (const [key, member] of Object.entries(value)) {
        units += key.length;
        left.push(member);
      }
  }
  return true;
}

/** A search that fails here fails again, and is reported, when all surfaces are there. */
function isDone(steps: Iterator<unknown>): boolean {
  try {
    return steps.next().done === true;
  } catch {
    return true;
  }
}
