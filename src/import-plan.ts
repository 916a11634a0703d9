import { resolve } from 'node:path';
import { displayPath } from './check.ts';
import { compareServer } from './drift/compare.ts';
import { field } from './drift/field.ts';
import type { Change } from './drift/types.ts';
import { findIn } from './findings/findings.ts';
import { applySuppressions } from './findings/suppress.ts';
import { MCP_AGENTGATE, MCP_AGENTGATE_SKILLS } from './foreign/mcp-agentgate.ts';
import { readForeignLock } from './foreign/read-foreign.ts';
import { TOOLPRINT, toolprintSource } from './foreign/toolprint.ts';
import type { ForeignLock, ForeignServer } from './foreign/types.ts';
import { changeOf, type Vouched, vouchServer } from './foreign/vouch.ts';
import { createSurfaceMask } from './lock/surface-mask.ts';
import type { Lock, LockedServer } from './lock/types.ts';
import { lockTime, mergeLock } from './lock/write.ts';
import { type RelockOptions, readOldLock } from './relock.ts';
import { buildReport } from './report/build.ts';
import type { Report, ServerReport } from './report/model.ts';
import { serverReport, unreadableReport } from './server-report.ts';
import { SKILLS_PREFIX } from './skills/prefix.ts';
import { skillsReport } from './skills-report.ts';
import { type Survey, type SurveyedServer, survey } from './survey.ts';
import { throwProblem } from './survey-facts.ts';
import { type SurveyedSkills, surveySkills } from './survey-skills.ts';
import { AgentGateError } from './util/errors.ts';
import { pointer } from './util/json.ts';
import { listed } from './util/listed.ts';
import { createRedactor } from './util/redact.ts';
import { VERSION } from './version.ts';

export interface ImportOptions extends RelockOptions {
  /** The foreign lock: relative to `cwd`, or absolute. */
  file: string;
}

/** What an import would write, and what it found. Nothing is written yet. */
export interface ImportPlan {
  program: ForeignLock['program'];
  /** Absolute path of the lock to write. */
  path: string;
  /** The foreign lock is the file to write. */
  replaces: boolean;
  before?: Lock;
  after: Lock;
  report: Report;
  /** Capabilities that match and are pinned. */
  matched: number;
}

/**
 * Verifies what a foreign lock vouches for against the live servers and skills, by that lock's own hash rule, and works
 * out a lock that pins what matches and nothing else. Entries that AgentGate's lock has already stay as they are.
 *
 * Throws an `AgentGateError` when a lock or a config cannot be read.
 */
export async function planImport(options: ImportOptions): Promise<ImportPlan> {
  const started = performance.now();
  const path = resolve(options.cwd, options.lockfile);
  const file = resolve(options.cwd, options.file);
  const foreign = await readForeignLock(file, displayPath(options.cwd, file));
  const replaces = file === path;
  const before = replaces ? undefined : (await readOldLock(path, displayPath(options.cwd, path))).lock;
  const surveyed = await survey({ ...options, ...(hasSkills(foreign) && { skills: true }) });
  throwProblem(surveyed);
  const work = new Import(foreign, before, surveyed, options);
  for (const server of surveyed.servers) work.server(server);
  for (const entry of surveyed.unreadable) work.servers.push(unreadableReport(entry, undefined));
  await work.skills();
  work.gone();
  const declared = surveyed.servers.map((server) => server.declared);
  const { findings, info } = applySuppressions(findIn(work.fresh, declared), surveyed.policy, new Date());
  const keep = [...(before?.servers.keys() ?? [])];
  return {
    program: foreign.program,
    path,
    replaces,
    before,
    after: mergeLock(before, work.fresh, { keep, version: VERSION, now: lockTime(options.env) }),
    matched: work.matched,
    report: buildReport({
      failOn: 'any',
      // What is shown to accept the rest is a command for this lock.
      lockfile: { path: displayPath(options.cwd, path), sha256: replaces ? foreign.sha256 : null },
      durationMs: performance.now() - started,
      servers: work.servers,
      changes: work.changes,
      findings,
      errors: [],
      // Suppressions of servers that were not imported are not unused.
      info: [
        {
          code: 'imported',
          message: `verified by the rule of ${foreign.program} against ${displayPath(options.cwd, file)}`,
        },
        ...surveyed.info,
        ...work.info,
        ...info.filter(({ code }) => code !== 'suppression-unused'),
      ],
    }),
  };
}

function hasSkills(foreign: ForeignLock): boolean {
  return (
    foreign.files !== undefined || [...foreign.servers.keys()].some((key) => key.startsWith(SKILLS_PREFIX))
  );
}

const PINNED_ALREADY = 'pinned already; left as it is';

class Import {
  readonly fresh = new Map<string, LockedServer>();
  readonly servers: ServerReport[] = [];
  readonly changes: Change[] = [];
  readonly info: Report['info'] = [];
  matched = 0;
  private readonly foreign: ForeignLock;
  private readonly before: Lock | undefined;
  private readonly surveyed: Survey;
  private readonly options: ImportOptions;

  constructor(foreign: ForeignLock, before: Lock | undefined, surveyed: Survey, options: ImportOptions) {
    this.foreign = foreign;
    this.before = before;
    this.surveyed = surveyed;
    this.options = options;
  }

  server(server: SurveyedServer): void {
    const { key } = server.declared;
    const report = serverReport(server, undefined);
    const theirs = this.foreign.servers.get(key);
    if (this.before?.servers.has(key) === true)
      this.servers.push({ ...report, status: 'skipped', reason: PINNED_ALREADY, error: undefined });
    else if (server.result.state !== 'listed') this.servers.push(report);
    else if (theirs === undefined) this.unvouched(key, server.result.entry, report);
    else this.vouched(server, server.result.entry, theirs, report);
  }

  private unvouched(key: string, entry: LockedServer, report: ServerReport): void {
    this.servers.push({ ...report, status: 'new' });
    this.changes.push(...compareServer(key, undefined, entry, { accepted: false }).changes);
  }

  private vouched(
    { declared, capture }: SurveyedServer,
    live: LockedServer,
    theirs: ForeignServer,
    report: ServerReport,
  ): void {
    const rule = this.foreign.program === 'toolprint' ? TOOLPRINT : MCP_AGENTGATE;
    const surface = capture?.ok === true ? capture.surface : undefined;
    const paths = capture?.ok === true ? capture.paths : undefined;
    const mask = createSurfaceMask({ paths: paths ?? {} });
    const vouched = vouchServer({ key: declared.key, foreign: theirs, rule, surface, mask, entry: live });
    const [was, is] = [theirs.source, toolprintSource(declared.launch)];
    if (was !== undefined && was === is) {
      if (live.launch) vouched.entry.launch = live.launch;
      if (live.source) vouched.entry.source = live.source;
    } else if (was !== undefined) {
      const redact = createRedactor(this.surveyed.secrets);
      const change = field('/launch', 'launch-changed', redact(was), redact(is), 'high');
      vouched.changes.push(changeOf(declared.key, 'server', '', 'changed', [change]));
    } else vouched.unseen.push('launch command');
    this.add(declared.key, vouched, report);
  }

  private add(key: string, vouched: Vouched, report: ServerReport): void {
    this.matched += vouched.matched;
    this.changes.push(...vouched.changes);
    this.servers.push(vouched.changes.length > 0 ? { ...report, status: 'drift' } : report);
    this.fresh.set(key, vouched.entry);
    if (vouched.unseen.length > 0)
      this.info.push({
        code: 'not-vouched',
        server: key,
        message: `${this.foreign.program} does not vouch for ${listed(vouched.unseen)} of this server: not pinned, see "agentgate lock"`,
      });
  }

  /** Skills folders that the foreign lock knows; mcp-agentgate pins the files of all of them. */
  async skills(): Promise<void> {
    if (!hasSkills(this.foreign)) return;
    const folders = [...(this.surveyed.skills?.folders ?? [])];
    const known = new Set(folders.map(({ key }) => key));
    for (const key of this.foreign.servers.keys()) {
      if (!key.startsWith(SKILLS_PREFIX) || known.has(key) || !this.wanted(key)) continue;
      const path = key.slice(SKILLS_PREFIX.length);
      if (path === '~' || path.startsWith('~/'))
        this.servers.push({ key, status: 'skipped', reason: 'lies outside of the repository', tools: 0 });
      else
        try {
          folders.push(...(await surveySkills(this.options.cwd, [path], this.surveyed.policy)).folders);
        } catch (error) {
          // One that is not there any more is gone, see below.
          if (!(error instanceof AgentGateError) || error.code !== 'E_SKILLS_MISSING') throw error;
        }
    }
    for (const folder of folders) this.skillsFolder(folder);
  }

  private skillsFolder(folder: SurveyedSkills): void {
    const { key, result } = folder;
    const theirs = this.foreign.files
      ? filesAsSkills(this.foreign.files, folder)
      : this.foreign.servers.get(key);
    if (theirs === undefined) return;
    const report = skillsReport(folder, undefined);
    if (this.before?.servers.has(key) === true)
      this.servers.push({ ...report, status: 'skipped', reason: PINNED_ALREADY, error: undefined });
    else if (result.state !== 'listed') this.servers.push(report);
    else {
      const rule = this.foreign.files ? MCP_AGENTGATE_SKILLS : TOOLPRINT;
      const vouched = vouchServer({ key, foreign: theirs, rule, entry: result.entry });
      if (result.entry.source) vouched.entry.source = result.entry.source;
      this.add(key, vouched, report);
    }
  }

  /** Servers of the foreign lock that nothing declares here. */
  gone(): void {
    const known = new Set(this.servers.map(({ key }) => key));
    for (const [key, { records }] of this.foreign.servers) {
      if (known.has(key) || !this.wanted(key)) continue;
      const tools = records.get('tool') ?? new Map();
      const fields = [...tools].map(([name, record]) =>
        field(pointer('tools', name), 'field-changed', record.description ?? name, undefined, 'low'),
      );
      if (fields.length === 0) fields.push(field('', 'field-changed', key, undefined, 'low'));
      this.servers.push({ key, status: 'gone', tools: tools.size });
      this.changes.push(changeOf(key, 'server', '', 'removed', fields));
    }
    const skills = this.surveyed.skills?.folders.map(({ folder }) => `${folder}/`) ?? [];
    const others = [...(this.foreign.files?.keys() ?? [])].filter(
      (path) => !(path.endsWith('/SKILL.md') && skills.some((folder) => path.startsWith(folder))),
    );
    if (others.length > 0)
      this.info.push({
        code: 'not-imported',
        message: `${others.length === 1 ? '1 file' : `${others.length} files`} of the imported lock ${others.length === 1 ? 'is no skill and stays' : 'are no skills and stay'} unpinned: ${JSON.stringify(others[0])}${others.length > 1 ? ' …' : ''}`,
      });
  }

  private wanted(key: string): boolean {
    const { servers } = this.options;
    return !servers || servers.length === 0 || servers.includes(key);
  }
}

/** The files that mcp-agentgate pins of a skills folder, as records of its skills. */
function filesAsSkills(files: ReadonlyMap<string, string>, { folder }: SurveyedSkills): ForeignServer {
  const prefix = folder === '.' ? '' : `${folder}/`;
  const skills = new Map<string, { hash: string }>();
  for (const [path, hash] of files) {
    if (path.startsWith(prefix) && path.endsWith('/SKILL.md'))
      skills.set(path.slice(prefix.length, -'/SKILL.md'.length), { hash });
  }
  return { records: new Map([['skill', skills]]) };
}
