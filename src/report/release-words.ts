import { code, type Inline, text } from './document.ts';
import type { ServerReport } from './model.ts';

/** Why a server drifted, in one sentence when the report brings none. */
export function causeSentence(server: ServerReport): string | undefined {
  if (server.causeText !== undefined && server.causeText !== '') return server.causeText;
  switch (server.cause) {
    case 'release-changed':
      return server.touched === true
        ? 'Its release was changed in this pull request.'
        : 'Another release runs than the one that was reviewed.';
    case 'same-release':
      return 'The very same release now says something else: its dependencies or a service behind it changed.';
    case 'floating-release':
      return 'Its release floats and has moved on since the review.';
    case 'launch-changed':
      return 'It is started with another command or other arguments.';
    case 'protocol-changed':
      return 'It was asked with another protocol revision than when it was reviewed.';
    case 'credentials-changed':
      return 'It was started with other credentials or variables than when it was reviewed.';
    case 'masks-changed':
      return 'The policy masks other texts than when it was reviewed.';
    case 'remote-changed':
      return 'It is a remote service, which can change at any time.';
    case 'unknown':
      return 'Nothing in the config or the release explains it.';
    default:
      return undefined;
  }
}

/** A short form of the cause, for the server table. */
export function causeShort(server: ServerReport): string | undefined {
  const touched = server.touched === true ? 'in this pull request' : undefined;
  switch (server.cause) {
    case 'release-changed':
      return touched === undefined ? 'another release' : `bumped ${touched}`;
    case 'same-release':
      return 'the same release says something else';
    case 'floating-release':
      return 'a floating release moved';
    case 'launch-changed':
      return touched === undefined ? 'started differently' : `start command changed ${touched}`;
    case 'protocol-changed':
      return 'other protocol revision';
    case 'credentials-changed':
      return 'other credentials';
    case 'masks-changed':
      return 'other masks';
    case 'remote-changed':
      return 'the remote service changed';
    case 'unknown':
      return server.source?.type === 'local' ? 'its code or what it reads changed' : 'cause not known';
    default:
      return undefined;
  }
}

/** True when the table's row, both releases and {@link causeShort}, says all that the sentence says. */
export function causeTold({ cause, causeText, source, lockedSource }: ServerReport): boolean {
  if (cause !== 'release-changed' || source?.version === undefined) return false;
  const { version: old, package: known } = lockedSource ?? {};
  // A bridge that was bumped, and what else the config changed, is in the sentence alone.
  return (
    old !== undefined &&
    old !== source.version &&
    known === source.package &&
    !(causeText ?? '').includes(' The config also has ')
  );
}

/** A server's release in words: `npm` and code, as spans; empty when nothing is known. */
export function sourceInlines(server: ServerReport, from: 'locked' | 'base'): Inline[] {
  // The key says which folder.
  if (server.transport === 'skills') return [text('—')];
  const now = from === 'locked' ? server.source : (server.lockedSource ?? server.source);
  const before = from === 'locked' ? server.lockedSource : server.baseSource;
  const known = now ?? before;
  if (known === undefined) return server.transport === undefined ? [text('—')] : [text('')];
  const label = sourceLabel(known);
  const release = (source: typeof known): string | undefined =>
    source.version ?? (source.requested || undefined);
  const out: Inline[] = [text(label)];
  if (now !== undefined && before !== undefined && sourceLabel(before) + idOf(before) !== label + idOf(now))
    return [text(`${sourceLabel(before)} `), code(idOf(before)), text(` → ${label} `), code(idOf(now))];
  const old = before === undefined ? undefined : release(before);
  const current = now === undefined ? undefined : release(now);
  if (old !== undefined && current !== undefined && old !== current)
    return [...out, text(' '), code(old), text(' → '), code(current)];
  const one = current ?? old;
  if (one !== undefined && one !== '') return [...out, text(' '), code(one)];
  const id = idOf(known);
  return id === '' ? out : [...out, text(' '), code(id)];
}

type SourceLike = NonNullable<ServerReport['source']>;

function sourceLabel(source: SourceLike): string {
  const kinds: Record<string, string> = {
    oci: 'image',
    git: 'git',
    url: 'download',
    nuget: 'NuGet',
    mcpb: 'bundle',
  };
  if (source.kind !== undefined && Object.hasOwn(kinds, source.kind)) return kinds[source.kind] ?? 'local';
  return { npm: 'npm', pypi: 'PyPI', local: 'local', remote: 'remote' }[source.type];
}

/** What tells one program from another, without its release. */
export function idOf(source: SourceLike): string {
  return source.package ?? source.url ?? source.path ?? '';
}
