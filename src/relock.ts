import { dirname, resolve } from 'node:path';
import { displayPath } from './check.ts';
import { compareLocks } from './drift/compare.ts';
import type { Change } from './drift/types.ts';
import { findIn, surfaceSearch } from './findings/findings.ts';
import { raiseByFindings } from './findings/raise.ts';
import { applySuppressions } from './findings/suppress.ts';
import type { Finding } from './findings/types.ts';
import { type LockFile, readLock } from './lock/read-file.ts';
import type { Lock, LockedServer } from './lock/types.ts';
import { lockTime, mergeLock, writeLock } from './lock/write.ts';
import { unseenInfo, unseenSkills } from './skills-report.ts';
import { type Survey, type SurveyOptions, survey } from './survey.ts';
import { declaredKeys, isComplete, throwProblem } from './survey-facts.ts';
import { unreadConfigs } from './unread-configs.ts';
import { AgentGateError } from './util/errors.ts';
import { VERSION } from './version.ts';

export interface RelockOptions extends SurveyOptions {
  /** Relative to `cwd`, or absolute. */
  lockfile: string;
}

/** What `lock` would write, and what that changes. Nothing is written yet. */
export interface RelockPlan {
  path: string;
  before?: Lock;
  /** Of the old lock's bytes, hexadecimal. */
  beforeSha256?: string;
  after: Lock;
  surveyed: Survey;
  /** Old lock against new lock. */
  changes: Change[];
  /** Keys of entries that are dropped, since nothing declares them any more. */
  dropped: string[];
  /** Keys of servers that failed; their old entry, if any, is kept. */
  failed: string[];
  /** Findings in what is pinned now. */
  findings: Finding[];
  info: Survey['info'];
}

/** What the plan changes or drops of what is pinned already: that needs a yes. */
export function pinnedChanges(plan: RelockPlan): Change[] {
  return plan.changes.filter((change) => change.kind !== 'server' || change.change !== 'added');
}

/** Writes what was planned; gives whether that changed the file. Throws as `writeLock` does. */
export function writePlanned({
  path,
  after,
  before,
  beforeSha256,
}: RelockPlan): Promise<{ written: boolean }> {
  const known =
    before === undefined || beforeSha256 === undefined ? null : { lock: before, sha256: beforeSha256 };
  return writeLock(path, after, known);
}

/**
 * Surveys the declared servers and works out the new lock. Throws an `AgentGateError` when the old lock or a
 * config cannot be read, since a lock made from half of what is declared would drop the rest.
 */
export async function planRelock(options: RelockOptions): Promise<RelockPlan> {
  const path = resolve(options.cwd, options.lockfile);
  const { lock: before, sha256: beforeSha256 } = await readOldLock(path, displayPath(options.cwd, path));
  const search = surfaceSearch();
  const surveyed = await survey({
    ...options,
    pinned: before?.servers.keys(),
    onPinned: (key, entry) => search.begin(key, entry),
  });
  throwProblem(surveyed);
  if (surveyed.servers.length + surveyed.unreadable.length === 0 && !surveyed.skills && !before)
    throw new AgentGateError(
      'E_NO_SERVERS',
      [
        'The configs here declare no MCP server, so there is nothing to pin',
        ...surveyed.info.map(({ message }) => message.replace(/\.$/, '')),
      ].join('; '),
    );
  const fresh = new Map<string, LockedServer>();
  const keep: string[] = [];
  const failed: string[] = [];
  for (const { declared, result } of surveyed.servers) {
    if (result.state === 'listed') fresh.set(declared.key, result.entry);
    else keep.push(declared.key);
    if (result.state === 'failed') failed.push(declared.key);
  }
  for (const { key } of surveyed.unreadable) {
    keep.push(key);
    failed.push(key);
  }
  for (const { key, result } of surveyed.skills?.folders ?? []) {
    if (result.state === 'listed') fresh.set(key, result.entry);
    else keep.push(key);
    if (result.state === 'failed') failed.push(key);
  }
  const chosen = options.servers && options.servers.length > 0;
  const unseen = chosen ? [] : unseenSkills(before, surveyed.skills);
  keep.push(...unseen);
  const declared = new Set([...declaredKeys(surveyed), ...unseen]);
  const others = [...(before?.servers.keys() ?? [])].filter((key) => !declared.has(key));
  const dropped = chosen ? [] : others;
  if (chosen) keep.push(...others);
  // A check of named configs has not seen the others.
  if (options.config && options.config.length > 0)
    for (const [key, entry] of fresh) entry.gate = { ...before?.servers.get(key)?.gate, ...entry.gate };
  const after = mergeLock(before, fresh, { keep, version: VERSION, now: lockTime(options.env) });
  const { changes } = compareLocks(before, after, { accepted: true });
  const found = findIn(
    fresh,
    surveyed.servers.map((server) => server.declared),
    { search },
  );
  const { findings, info } = applySuppressions(found, surveyed.policy, new Date(), {
    servers: fresh,
    all: isComplete(surveyed, options.servers),
  });
  raiseByFindings(changes, findings, findIn(before?.servers ?? new Map(), [], { search }));
  return {
    path,
    before,
    beforeSha256,
    after,
    surveyed,
    changes,
    dropped,
    failed,
    findings,
    info: [
      ...surveyed.info,
      ...info,
      ...unseenInfo(unseen),
      ...(before ? unreadConfigs(before, dropped, { read: surveyed.configs, folder: dirname(path) }) : []),
    ],
  };
}

/** The lock that is there, if any. Throws when it cannot be read. */
export async function readOldLock(path: string, shown: string): Promise<Partial<LockFile>> {
  try {
    return await readLock(path, shown);
  } catch (error) {
    if (error instanceof AgentGateError && error.code === 'E_LOCK_MISSING') return {};
    throw error;
  }
}
