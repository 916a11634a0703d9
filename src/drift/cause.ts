import type { Severity, Source } from '../config/types.ts';
import type { LockedServer } from '../lock/types.ts';
import { compareLaunch } from './launch.ts';
import { severityRank } from './severity.ts';
import type { Cause, Change } from './types.ts';

export interface CauseInput {
  locked: LockedServer;
  live: LockedServer;
  /** What the config declares now; the live entry's own source when absent. */
  declaredSource?: Source;
  /** Whether this pull request changed the server's entry in its config; absent when not known. */
  touched?: boolean;
}

export interface FoundCause {
  cause: Cause;
  /** One or two plain sentences. Names and releases in it come from configs and registries: hostile like any text. */
  text: string;
}

/**
 * Why a surface drifted, as far as the two entries tell: what stands behind the name first, then its release, then
 * how it is started, what is given to it and how it is spoken to. Only when none of these moved is it the server
 * itself: a remote one, or the very same release.
 */
export function findCause({ locked, live, declaredSource, touched }: CauseInput): FoundCause {
  const launch = compareLaunch(locked, live);
  const pointers = new Set(launch.map((field) => field.pointer));
  if (pointers.has('/source'))
    return {
      cause: 'launch-changed',
      text: `The config now starts something else under this name: ${sourceName(locked.source)} before, ${sourceName(live.source)} now${inThis(touched)}.`,
    };
  const release = releaseCause(locked.source, declaredSource ?? live.source, live.source, touched);
  if (release)
    return pointers.size === 0
      ? release
      : { ...release, text: `${release.text} The config also has ${partsOf(pointers)}.` };
  if (pointers.size > 0) return launchCause(pointers, touched);
  const [spoken, speaks] = [locked.protocolVersion, live.protocolVersion];
  if (spoken !== undefined && speaks !== undefined && spoken !== speaks)
    return {
      cause: 'protocol-changed',
      text: `The server was asked in protocol ${speaks}, the lock was made with ${spoken}; what a server shows depends on it.`,
    };
  return ownCause(locked.source, live.source);
}

/**
 * The cause where nothing differs but how clients reach the server: the check asks the server itself, so that this changes
 * nothing of what it shows.
 */
export function gateCause(changes: readonly Change[], touched: boolean | undefined): FoundCause | undefined {
  const fields = changes.flatMap((change) => change.fields);
  if (fields.length === 0 || !fields.every(({ pointer }) => pointer.startsWith('/gate/'))) return undefined;
  return {
    cause: 'launch-changed',
    text: `The server is as reviewed, but clients no longer start AgentGate’s proxy for it as they did${inThis(touched)}.`,
  };
}

/** How bad a cause is by itself: a release that was reviewed and now says something else was not meant to. */
export function causeSeverity(cause: Cause): Severity | undefined {
  return cause === 'same-release' ? 'high' : undefined;
}

/**
 * Raises changes of a server to what their cause weighs; their fields keep their own severity. For callers that let a
 * severity gate: plumbing that moved in a pinned release then counts as high.
 */
export function raiseByCause(changes: readonly Change[], cause: Cause): Change[] {
  const severity = causeSeverity(cause);
  return changes.map((change) =>
    severity !== undefined && severityRank(severity) < severityRank(change.severity)
      ? { ...change, severity }
      : change,
  );
}

function releaseCause(
  locked: Source | undefined,
  declared: Source | undefined,
  live: Source | undefined,
  touched: boolean | undefined,
): FoundCause | undefined {
  const [old, now] = [locked?.version, live?.version];
  if (old === undefined || now === undefined || old === now) return bridgeCause(locked, live, touched);
  const requested = declared?.requested ?? live?.requested;
  // The same floating spec as before: nobody asked for the new release.
  if (requested !== undefined && locked?.requested === requested && touched !== true)
    return {
      cause: 'floating-release',
      text: `The config asks for ${spec(requested)} of ${sourceName(live)}: that was ${old} when it was locked and is ${now} now.`,
    };
  const bumped = touched === true ? ', bumped in this pull request' : '';
  return {
    cause: 'release-changed',
    text: `The release of ${sourceName(live)} went from ${old} to ${now}${bumped}.`,
  };
}

/** A remote server behind a local bridge (`mcp-remote`) that has a release of its own. */
function bridgeCause(
  locked: Source | undefined,
  live: Source | undefined,
  touched: boolean | undefined,
): FoundCause | undefined {
  const [old, now] = [locked?.via?.version, live?.via?.version];
  if (old === undefined || now === undefined || old === now) return undefined;
  return {
    cause: live?.via?.requested !== undefined && touched !== true ? 'floating-release' : 'release-changed',
    text: `The bridge ${live?.via?.package ?? ''} went from ${old} to ${now}.`,
  };
}

function launchCause(pointers: ReadonlySet<string>, touched: boolean | undefined): FoundCause {
  const credentials = [...pointers].every((at) => at === '/launch/env' || at === '/launch/headers');
  if (credentials)
    return {
      cause: 'credentials-changed',
      text: 'Other environment variables or headers had a value than when it was locked; what a server shows can depend on its credentials.',
    };
  return { cause: 'launch-changed', text: `The config now has ${partsOf(pointers)}${inThis(touched)}.` };
}

const PARTS: ReadonlyMap<string, string> = new Map([
  ['/launch/command', 'another command'],
  ['/launch/args', 'other arguments'],
  ['/launch/cwd', 'another working directory'],
  ['/launch/url', 'another URL'],
  ['/launch/headers', 'other header names'],
  ['/launch/env', 'other environment names'],
  ['/transport', 'another transport'],
]);

function partsOf(pointers: ReadonlySet<string>): string {
  return [...pointers].map((at) => PARTS.get(at) ?? 'another launch').join(' and ');
}

function ownCause(locked: Source | undefined, live: Source | undefined): FoundCause {
  if (live?.type === 'remote')
    return {
      cause: 'remote-changed',
      text: 'The URL is the same and the remote server now says something else: its operator changed it.',
    };
  const release = live?.version;
  if (release !== undefined && locked?.version === release) {
    const replaced =
      locked.integrity !== undefined && live?.integrity !== undefined && locked.integrity !== live.integrity;
    // A tag can be moved; a digest is the image.
    if (live?.kind === 'oci' && live.mutable)
      return {
        cause: 'same-release',
        text: replaced
          ? `The tag ${release} of ${sourceName(live)} was moved: it is another image than the one that was locked, and it now says something else.`
          : `The tag ${release} of ${sourceName(live)} is the same, yet it now says something else: ${live.integrity === undefined ? 'the tag was moved to another image, or ' : ''}what the server reads from its surroundings changed.`,
      };
    return {
      cause: 'same-release',
      text: replaced
        ? `Release ${release} of ${sourceName(live)} is not the package that was locked (its integrity differs), and it now says something else: the package was replaced.`
        : `Release ${release} of ${sourceName(live)} is the same, yet it now says something else: one of its dependencies moved, or what it reads from its surroundings did${live?.integrity === undefined ? ', or the package was replaced' : ''}.`,
    };
  }
  if (live?.requested !== undefined)
    return {
      cause: 'floating-release',
      text: `The config asks for ${spec(live.requested)} of ${sourceName(live)}, and no release was recorded: it can be any.`,
    };
  if (live?.type === 'local')
    return {
      cause: 'unknown',
      text: 'The server is local: its code changed, or what it depends on or reads.',
    };
  return { cause: 'unknown', text: 'Nothing that is recorded tells why.' };
}

function spec(requested: string): string {
  return requested === '' ? 'no release in particular' : requested;
}

function sourceName(source: Source | undefined): string {
  if (!source) return 'an unknown source';
  const name = source.package ?? source.url ?? source.path ?? 'a local command';
  return source.type === 'npm' || source.type === 'pypi' ? `${source.type} ${name}` : name;
}

function inThis(touched: boolean | undefined): string {
  return touched === true ? ', edited in this pull request' : '';
}
