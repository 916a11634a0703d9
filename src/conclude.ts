import { dirname, resolve } from 'node:path';
import { acceptedChanges, type HeadLock, sayDeleted, withBaseSources } from './accepted.ts';
import { type Base, type BaseFiles, baseFiles } from './base-files.ts';
import type { CheckOptions } from './check.ts';
import { serverPolicy } from './config/policy.ts';
import type { DeclaredServer, Policy } from './config/types.ts';
import { raiseByCause } from './drift/cause.ts';
import { causeOf } from './drift/cause-of.ts';
import { compareServer } from './drift/compare.ts';
import type { Change } from './drift/types.ts';
import { findIn, surfaceSearch } from './findings/findings.ts';
import { raiseByFindings } from './findings/raise.ts';
import { applySuppressions } from './findings/suppress.ts';
import type { SurfaceSearch } from './findings/surface-search.ts';
import type { Finding } from './findings/types.ts';
import type { Lock, LockedServer } from './lock/types.ts';
import { policyChanges } from './policy-changes.ts';
import { buildReport } from './report/build.ts';
import { locateInLock } from './report/locate.ts';
import type { Report, ReportError, ServerReport } from './report/model.ts';
import { countsOfEntry, serverReport, unreadableReport } from './server-report.ts';
import { compareSkillsFolder, unseenInfo, unseenSkills } from './skills-report.ts';
import type { Survey, SurveyedServer } from './survey.ts';
import { declaredKeys, isComplete } from './survey-facts.ts';
import { switchedOffServers } from './switched-off.ts';
import { touchedServers } from './touched.ts';
import { unreadConfigs } from './unread-configs.ts';
import { append } from './util/append.ts';

export { surfaceSearch };

/** What the check has before anything is compared. */
export interface Evidence {
  options: CheckOptions;
  /** The lock's path as it is shown. */
  shown: string;
  lock: HeadLock;
  /** Absent when nothing was started. */
  surveyed?: Survey;
  /** Has begun with what was pinned. */
  search?: SurfaceSearch;
  base?: Base;
  errors: ReportError[];
  /** `performance.now()` when the check began. */
  started: number;
}

type Info = Report['info'][number];

/** Everything that the check found out, before it is put into the report. */
interface Gathered {
  servers: ServerReport[];
  changes: Change[];
  findings: Finding[];
  errors: ReportError[];
  info: Info[];
}

/** Compares, looks for findings and puts it all into the report. */
export async function conclude(evidence: Evidence): Promise<Report> {
  const { options, shown, lock, surveyed, base } = evidence;
  const gathered: Gathered = { servers: [], changes: [], findings: [], errors: evidence.errors, info: [] };
  const files = base && baseFiles(base, options.cwd);
  if (surveyed && lock.value) await compareWithLock(surveyed, lock.value, files, evidence, gathered);
  if (base) sayDeleted(base, shown, gathered.errors);
  const accepted = acceptedChanges(base, lock, shown, gathered.info, surveyed?.policy);
  const off = await switchedOffServers(surveyed ? skippedServers(surveyed) : [], {
    base: files,
    isPinned: (key) => lock.value?.servers.has(key) === true || accepted.base?.servers.has(key) === true,
  });
  const policy = surveyed?.policy;
  if (policy) append(gathered.info, await policyChanges(files, policy));
  const failOn = options.failOn ?? policy?.failOn ?? 'any';
  const parts = {
    servers: withBaseSources(gathered.servers, accepted.base).map((server) => ({
      ...server,
      switchedOff: off.get(server.key),
    })),
    changes: [...gathered.changes, ...accepted.changes],
    findings: gathered.findings,
  };
  if (lock.lines) locateInLock(parts, lock.lines);
  return buildReport({
    ...parts,
    failOn,
    lockfile: { path: shown, sha256: lock.sha256 ?? null },
    baseLockfile: accepted.baseLockfile,
    scope: scopeOf(options),
    context: options.context,
    durationMs: Math.round(performance.now() - evidence.started),
    errors: gathered.errors,
    info: gathered.info,
  });
}

/** What the check was told to look at; the command that accepts needs the same. */
function scopeOf({ config = [], allClients, skills }: CheckOptions): Report['scope'] {
  if (config.length === 0 && !allClients && skills === undefined) return undefined;
  return {
    ...(config.length > 0 && { config }),
    ...(allClients && { allClients }),
    ...(skills !== undefined && { skills }),
  };
}

function skippedServers(surveyed: Survey): { declared: DeclaredServer; reason: string }[] {
  return surveyed.servers.flatMap(({ declared, result }) =>
    result.state === 'skipped' ? [{ declared, reason: result.reason }] : [],
  );
}

async function compareWithLock(
  surveyed: Survey,
  lock: Lock,
  base: BaseFiles | undefined,
  { options, search = surfaceSearch() }: Evidence,
  gathered: Gathered,
): Promise<void> {
  append(gathered.errors, surveyed.errors);
  append(gathered.info, surveyed.info);
  const touched = await touchedServers(
    surveyed.servers.map((server) => server.declared),
    base,
  );
  const live = new Map<string, LockedServer>();
  for (const server of surveyed.servers) {
    const { key } = server.declared;
    const locked = lock.servers.get(key);
    if (server.result.state === 'listed') live.set(key, server.result.entry);
    const { report, changes, info } = compareOne(server, locked, touched.get(key), surveyed.policy);
    gathered.servers.push(report);
    append(gathered.changes, changes);
    append(gathered.info, info);
  }
  for (const entry of surveyed.unreadable) {
    const locked = lock.servers.get(entry.key);
    gathered.servers.push({ ...unreadableReport(entry, locked), ...(locked && countsOfEntry(locked)) });
  }
  for (const folder of surveyed.skills?.folders ?? []) {
    if (folder.result.state === 'listed') live.set(folder.key, folder.result.entry);
    const { report, changes, info } = compareSkillsFolder(folder, lock.servers.get(folder.key));
    gathered.servers.push(report);
    append(gathered.changes, changes);
    append(gathered.info, info);
  }
  append(gathered.changes, goneServers(surveyed, lock, options, gathered));
  const declared = surveyed.servers.map((server) => server.declared);
  const all = isComplete(surveyed, options.servers);
  addFindings({ live, all, search }, lock, declared, surveyed.policy, gathered);
}

function compareOne(
  server: SurveyedServer,
  locked: LockedServer | undefined,
  touched: boolean | undefined,
  policy: Policy,
): { report: ServerReport; changes: Change[]; info: Info[] } {
  const { key } = server.declared;
  const report: ServerReport = { ...serverReport(server, locked), touched };
  if (server.result.state !== 'listed') return { report, changes: [], info: [] };
  const { entry } = server.result;
  const { changes, info } = compareServer(key, locked, entry, { accepted: false });
  if (changes.length === 0) return { report, changes, info };
  if (!locked) return { report: { ...report, status: 'new' }, changes, info };
  const { cause, text } = causeOf(changes, {
    locked,
    live: entry,
    declaredSource: server.source,
    touched,
    policy: serverPolicy(policy, key),
  });
  return {
    report: { ...report, status: 'drift', cause, causeText: text },
    changes: raiseByCause(changes, cause),
    info,
  };
}

/** Entries of the lock that nothing declares any more. With a choice of servers nothing is said about others. */
function goneServers(surveyed: Survey, lock: Lock, options: CheckOptions, gathered: Gathered): Change[] {
  if (options.servers && options.servers.length > 0) return [];
  // A config that could not be read may declare them.
  if (surveyed.errors.length > 0) return [];
  const unseen = unseenSkills(lock, surveyed.skills);
  append(gathered.info, unseenInfo(unseen));
  const declared = new Set([...declaredKeys(surveyed), ...unseen]);
  const changes: Change[] = [];
  for (const [key, entry] of lock.servers) {
    if (declared.has(key)) continue;
    const compared = compareServer(key, entry, undefined, { accepted: false });
    append(changes, compared.changes);
    append(gathered.info, compared.info);
    gathered.servers.push({
      key,
      status: 'gone',
      config: entry.config,
      lockedSource: entry.source,
      transport: entry.transport,
      ...countsOfEntry(entry),
    });
  }
  const gone = gathered.servers.filter(({ status }) => status === 'gone').map(({ key }) => key);
  const folder = dirname(resolve(options.cwd, options.lockfile));
  append(gathered.info, unreadConfigs(lock, gone, { read: surveyed.configs, folder }));
  return changes;
}

function addFindings(
  { live, all, search }: { live: Map<string, LockedServer>; all: boolean; search: SurfaceSearch },
  lock: Lock,
  declared: DeclaredServer[],
  policy: Policy,
  gathered: Gathered,
): void {
  const found = findIn(live, declared, { search });
  const { findings, info } = applySuppressions(found, policy, new Date(), { servers: live, all });
  // Looking through the lock as well tells what a change brought: without a change there is nothing to tell.
  if (gathered.changes.length > 0)
    raiseByFindings(gathered.changes, findings, findIn(lock.servers, [], { search }));
  append(gathered.findings, findings);
  append(gathered.info, info);
}
