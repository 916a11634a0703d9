import type { LockedServer } from '../../lock/types.ts';
import { isObject, own, pointer } from '../../util/json.ts';
import { mixedWord, skeleton } from '../look-alikes.ts';
import type { PlaceHit, SchemaContext, SurfaceHit } from '../rule.ts';

/** Names that any server may use for its own thing. */
const COMMON = new Set(
  'add|ask|browse|build|calculate|call|chat|check|close|connect|create|delete|deploy|describe|download|echo|edit|exec|execute|export|fetch|find|format|get|get_me|help|import|info|init|insert|list|log|login|logout|logs|move|open|ping|query|read|remove|render|reset|run|save|scrape|search|send|set|start|status|stop|summarize|sync|test|time|translate|update|upload|validate|version|whoami|write'.split(
    '|',
  ),
);

/** A name that says whose tool it is: parted words, or long. */
export function isDistinctive(name: string): boolean {
  return (
    name.length >= 6 &&
    !COMMON.has(name.toLowerCase()) &&
    (/[a-z0-9][_./-][a-z0-9]/i.test(name) || /[a-z][A-Z]/.test(name) || name.length >= 12)
  );
}

/** Two entries of one package, image or address are one program with two settings. */
export function sameSource(a: LockedServer, b: LockedServer): boolean {
  const [first, second] = [a.source, b.source];
  if (!first || !second || first.type !== second.type) return false;
  if (first.package !== undefined) return first.package === second.package;
  if (first.url !== undefined) return first.url === second.url;
  return first.path !== undefined && first.path === second.path;
}

interface Named {
  server: string;
  entry: LockedServer;
  name: string;
  text: string;
}

const CLAIMS =
  /(?<![a-z])(?:enhanced|improved version|better (?:than|version)|the official|genuine|safer|trusted|verified version|replaces the|replacement for|supersedes?|instead of (?:any|the|all|every) other|in place of|drop-in|the (?:real|original|correct) (?:one|tool|version)|(?:always|only) use this|use this (?:one|tool|version)? ?instead|corrected version)(?![a-z])/i;

function toolsOf(servers: ReadonlyMap<string, LockedServer>): Named[] {
  const all: Named[] = [];
  for (const [server, entry] of servers) {
    for (const [name, record] of entry.tools ?? []) {
      const description = record.definition ? own(record.definition, 'description') : undefined;
      all.push({ server, entry, name, text: typeof description === 'string' ? description : '' });
    }
  }
  return all;
}

/** The same distinctive name in two servers. */
export function sameNames(servers: ReadonlyMap<string, LockedServer>): SurfaceHit[] {
  const hits: SurfaceHit[] = [];
  for (const group of groups(toolsOf(servers), ({ name }) => name.toLowerCase())) {
    for (const one of group) {
      const other = group.find((two) => two.server !== one.server && !sameSource(one.entry, two.entry));
      if (!other) continue;
      const claims = CLAIMS.test(one.text.slice(0, 4000));
      if (!claims && !isDistinctive(one.name)) continue;
      hits.push(
        named(
          one,
          `is also the name of a tool of "${other.server}"${claims ? ', and its text claims to be the better one' : ''}`,
          claims ? 'medium' : undefined,
        ),
      );
    }
  }
  return hits;
}

/** Names that look alike without being equal. */
export function confusableNames(servers: ReadonlyMap<string, LockedServer>): SurfaceHit[] {
  const hits: SurfaceHit[] = [];
  for (const group of groups(toolsOf(servers), ({ name }) => skeleton(name))) {
    for (const one of group) {
      const other = group.find((two) => two.name.toLowerCase() !== one.name.toLowerCase() && alike(one, two));
      if (other) hits.push(named(one, `is easily taken for "${other.name}" of "${other.server}"`));
    }
  }
  return hits;
}

/** Inside one server, `readFile` beside `read_file` is a matter of style; look-alike letters are not. */
function alike(a: Named, b: Named): boolean {
  const ascii = /^[\x20-\x7e]*$/.test(a.name) && /^[\x20-\x7e]*$/.test(b.name);
  const letters = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (!ascii) return true;
  if (a.server === b.server) return letters(a.name) !== letters(b.name);
  return !sameSource(a.entry, b.entry) && (isDistinctive(a.name) || isDistinctive(b.name));
}

const SUFFIX =
  /[_-]?(?:enhanced|improved|better|official|secure|safe|safer|trusted|verified|pro|plus|new|v[0-9]{1,2}|[0-9]|real|original|fast|faster|premium|advanced|ultimate|fixed|latest|ex|next)$/i;
const PREFIX =
  /^(?:enhanced|improved|better|official|secure|safe|trusted|verified|pro|new|real|original|fast|super|the)[_-]?/i;

/** A name that is another server's name with a selling word. */
export function twinNames(servers: ReadonlyMap<string, LockedServer>): SurfaceHit[] {
  const all = toolsOf(servers);
  const byName = new Map<string, Named[]>();
  for (const one of all)
    byName.set(one.name.toLowerCase(), [...(byName.get(one.name.toLowerCase()) ?? []), one]);
  const hits: SurfaceHit[] = [];
  for (const one of all) {
    const lower = one.name.toLowerCase();
    for (const bare of [lower.replace(SUFFIX, ''), lower.replace(PREFIX, '')]) {
      if (bare === lower || bare.length < 3) continue;
      const other = byName
        .get(bare)
        ?.find((two) => two.server !== one.server && !sameSource(one.entry, two.entry));
      if (!other) continue;
      hits.push(named(one, `is the name "${other.name}" of "${other.server}" with a selling word`));
      break;
    }
  }
  return hits;
}

function named(one: Named, message: string, severity?: SurfaceHit['severity']): SurfaceHit {
  return {
    server: one.server,
    kind: 'tool',
    name: one.name,
    pointer: '/name',
    shown: one.name,
    message,
    ...(severity ? { severity } : {}),
  };
}

function groups(all: readonly Named[], key: (one: Named) => string): Named[][] {
  const map = new Map<string, Named[]>();
  for (const one of all) {
    const found = map.get(key(one));
    if (found) found.push(one);
    else map.set(key(one), [one]);
  }
  return [...map.values()].filter((group) => group.length > 1);
}

/** Look-alike letters of another script in a name of a tool, prompt or parameter. */
export function mixedScripts(context: SchemaContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  const look = (at: string, name: string): void => {
    if (/^[\x20-\x7e]*$/.test(name)) return;
    const word = mixedWord(name);
    if (word)
      hits.push({ pointer: at, shown: name, ...word, message: 'mixes letters of scripts that look alike' });
  };
  look(
    context.kind === 'resource' ? '/uri' : context.kind === 'resourceTemplate' ? '/uriTemplate' : '/name',
    context.name,
  );
  for (const { pointer: at, schema } of context.schemas) {
    const properties = own(schema, 'properties');
    if (isObject(properties))
      for (const name of Object.keys(properties)) look(at + pointer('properties', name), name);
  }
  return hits;
}
