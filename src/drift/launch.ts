import type { LaunchRecord, Source } from '../config/types.ts';
import type { LockedServer } from '../lock/types.ts';
import { append } from '../util/append.ts';
import type { Json } from '../util/json.ts';
import { sameJson } from './equal.ts';
import { field } from './field.ts';
import { plain } from './server.ts';
import type { FieldChange } from './types.ts';

/** What a server is: the part of its source that no new release changes. */
export function sameSource(before: Source, after: Source): boolean {
  return sameJson(identity(before), identity(after));
}

function identity({ type, kind, package: name, url, path, via }: Source): Json {
  return {
    type,
    kind: kind ?? null,
    package: name ?? null,
    url: url ?? null,
    path: path ?? null,
    via: via ? { type: via.type, package: via.package } : null,
  };
}

/** The members of `now` that `old` has as well. */
function knownOf(old: Source, now: Source): Source {
  const known: Source = { type: now.type };
  if (old.kind !== undefined) known.kind = now.kind;
  if (old.package !== undefined) known.package = now.package;
  if (old.url !== undefined) known.url = now.url;
  if (old.path !== undefined) known.path = now.path;
  if (old.via !== undefined) known.via = now.via;
  return known;
}

/** Another package, image, URL or command behind the name, and other arguments or environment names. */
export function compareLaunch(before: LockedServer, after: LockedServer): FieldChange[] {
  const fields: FieldChange[] = [];
  // The base specification's lock says less of a source and nothing of the launch: what is absent there is not pinned.
  const known =
    before.launch || !before.source || !after.source ? after.source : knownOf(before.source, after.source);
  if (before.source && known && after.source && !sameSource(before.source, known))
    fields.push(field('/source', 'source-changed', plain(before.source), plain(after.source)));
  if (before.launch && after.launch)
    append(fields, compareRecords(before, after, before.launch, after.launch, fields.length > 0));
  const [old, now] = [before.transport, after.transport];
  // HTTP and SSE are two ways to one URL; a process is something else.
  if (old !== undefined && now !== undefined && old !== now && [old, now].includes('stdio'))
    fields.push(field('/transport', 'launch-changed', old, now));
  return fields;
}

function compareRecords(
  before: LockedServer,
  after: LockedServer,
  old: LaunchRecord,
  now: LaunchRecord,
  sourceChanged: boolean,
): FieldChange[] {
  const fields: FieldChange[] = [];
  const add = (member: string, a: Json | undefined, b: Json | undefined): void => {
    if (!sameJson(a, b)) fields.push(field(`/launch/${member}`, 'launch-changed', a, b));
  };
  add('command', old.command, now.command);
  const release = (args: string[] | undefined, source: Source | undefined): string[] =>
    (args ?? []).map((arg) => withoutRelease(arg, source));
  if (!sameJson(release(old.args, before.source), release(now.args, after.source)))
    add('args', old.args, now.args);
  add('cwd', old.cwd, now.cwd);
  // The source says it already.
  if (!sourceChanged) add('url', old.url, now.url);
  if (!sameSet(old.headers, now.headers)) add('headers', old.headers, now.headers);
  if (!sameSet(old.env, now.env)) add('env', old.env, now.env);
  return fields;
}

function sameSet(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return sameJson([...new Set(a ?? [])].sort(), [...new Set(b ?? [])].sort());
}

/** Extras and a version or tag: `@1.2.0`, `@^1`, `[cli]==1.2`. An alias (`@npm:other`) is another package. */
const RELEASE = /^(\[[\w,.-]*\])?(?:(?:@|==|~=|>=)[\w.+*^~<>=!,-]*)?$/;

/** A tag and a digest of an image. No extras: the first group is always empty. */
const IMAGE_RELEASE = /^()(?::[\w.-]+)?(?:@sha256:[0-9a-f]+)?$/;

/**
 * An argument that names the package or image, without its release: a bump of the declared release is told by the
 * source and is no other launch.
 */
export function withoutRelease(arg: string, source: Source | undefined): string {
  for (const name of [source?.package, source?.via?.package]) {
    if (name === undefined || name === '') continue;
    const start = arg.startsWith(name) ? 0 : /^(--package|--from|-p|--with)=/.exec(arg)?.[0].length;
    if (start === undefined || !arg.startsWith(name, start)) continue;
    const rest = arg.slice(start + name.length);
    const release = (source?.kind === 'oci' ? IMAGE_RELEASE : RELEASE).exec(rest);
    if (release) return `${arg.slice(0, start)}${name}${release[1] ?? ''}`;
  }
  return arg;
}
