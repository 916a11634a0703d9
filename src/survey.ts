import { availableParallelism } from 'node:os';
import { withAdvice } from './advice.ts';
import { type CaptureOptions, captureServer } from './capture/capture.ts';
import { INSTALL_LIMIT_MS } from './capture/install.ts';
import { MemoryPool } from './capture/memory.ts';
import type { Capture, CaptureError, Isolation } from './capture/types.ts';
import { resolveServer } from './config/expand.ts';
import { gateRecord } from './config/gate-record.ts';
import { launchRecord } from './config/launch-record.ts';
import { loadConfigs } from './config/load.ts';
import { loadPolicy, serverPolicy } from './config/policy.ts';
import { unknownServers } from './config/policy-unknown.ts';
import { deriveSource } from './config/source.ts';
import type { DeclaredServer, LoadedConfigs, Policy, Source, VolatileRule } from './config/types.ts';
import type { LockedServer } from './lock/types.ts';
import type { ReportError } from './report/model.ts';
import { SKILLS_PREFIX } from './skills/prefix.ts';
import { selectServers, selectSkills, unreadableEntries } from './survey-choice.ts';
import { idleMaskInfo } from './survey-masks.ts';
import { mapServers } from './survey-order.ts';
import type { SkillsSurvey } from './survey-skills.ts';
import { type Ahead, ahead } from './util/ahead.ts';
import { AgentGateError, messageOf } from './util/errors.ts';
import { collectGarbage } from './util/garbage.ts';
import { createRedactor } from './util/redact.ts';

/** One step of one server. */
export interface SurveyEvent {
  server: string;
  state: 'waiting' | 'fetching' | 'starting' | 'listing' | 'done' | 'failed' | 'skipped';
  /** For `done`: what was listed; for `failed`: the error; for `skipped`: why. */
  text?: string;
}

export interface SurveyOptions {
  /** Absolute. */
  cwd: string;
  config?: string[];
  /** Only these keys. */
  servers?: string[];
  /** Agent skills too: of the usual folders, or of this one. */
  skills?: string | true;
  /** Keys of the lock: with the usual folders, those of skills that it pins are looked at too. */
  pinned?: Iterable<string>;
  allClients: boolean;
  /** From start to last list page; the policy's per-server value wins. */
  timeoutMs?: number;
  concurrency?: number;
  isolation: Isolation;
  starts: 1 | 2;
  env: NodeJS.ProcessEnv;
  onProgress?: (event: SurveyEvent) => void;
  /** What a server is pinned as, as soon as that is known. What it shows does not change after it. */
  onPinned?: (key: string, entry: LockedServer) => void;
  signal?: AbortSignal;
}

/** One declared server after the survey. */
export interface SurveyedServer {
  declared: DeclaredServer;
  /** What the config says, for servers that could not run too. */
  source: Source;
  capture?: Capture;
  result:
    | { state: 'listed'; entry: LockedServer; idleMasks: VolatileRule[] }
    | { state: 'failed'; error: CaptureError }
    | { state: 'skipped'; reason: string };
}

export interface Survey {
  servers: SurveyedServer[];
  policy: Policy;
  /** What concerns no single server: a config that cannot be read. */
  errors: ReportError[];
  /** Entries that are declared and could not be read: their servers were not started. */
  unreadable: { key: string; config: string; line?: number; column?: number; error: CaptureError }[];
  info: { code: string; server?: string; message: string }[];
  /** The configs that were looked into, relative to the working directory. */
  configs: string[];
  /** Values that must not be shown. */
  secrets: string[];
  /** Absent when skills were not asked for. */
  skills?: SkillsSurvey;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Starts every declared server, lists what it shows and pins it into the form that the lock has. One server's
 * failure is data; only what makes every answer impossible (no config, a broken policy, an unknown key in
 * `servers`) is thrown, as an `AgentGateError`.
 */
export async function survey(options: SurveyOptions): Promise<Survey> {
  const policy = await loadPolicy(options.cwd);
  const configs = await loadDeclared(options);
  // Before any server runs that could change them.
  const skills = await wantedSkills(options, policy);
  for (const { key, result } of skills?.folders ?? [])
    options.onProgress?.({ server: key, ...skillsProgress(result) });
  const unread = configs.errors.flatMap(({ server }) => (server === undefined ? [] : [server]));
  const folders = skills?.folders.map(({ key }) => key) ?? [];
  const wanted = selectServers(configs.servers, options.servers, [...unread, ...folders]);
  const keys = [...configs.servers.map(({ key }) => key), ...unread, ...folders];
  // A config that could not be read may declare them.
  const broken = configs.errors.some(({ server }) => server === undefined);
  const unknown = broken ? [] : unknownServers(policy, keys, { skills: options.skills === true });
  const secrets = new Set<string>();
  const memory = new MemoryPool(undefined, wanted.length);
  // Loads while the first servers start.
  const pinning = ahead(() => import('./lock/pin.ts'));
  const servers = await mapServers(
    wanted,
    options.concurrency ?? 2 * availableParallelism(),
    (declared, onExit) =>
      surveyOne(declared, { ...options, files: configs.files, onExit, pinning }, policy, secrets, memory),
  );
  collectGarbage();
  return {
    servers,
    policy,
    errors: configs.errors.filter((problem) => problem.server === undefined),
    unreadable: unreadableEntries(configs.errors, options.servers),
    info: [
      ...configs.notes.map(({ code, message }) => ({ code, message })),
      ...(skills?.info ?? []),
      ...unknown,
      ...idleMaskInfo(servers),
    ],
    configs: configs.looked,
    secrets: [...secrets],
    ...(skills && { skills: selectSkills(skills, options.servers) }),
  };
}

function skillsProgress(result: SkillsSurvey['folders'][number]['result']): Omit<SurveyEvent, 'server'> {
  if (result.state === 'failed') return { state: 'failed', text: result.error.message };
  if (result.state === 'skipped') return { state: 'skipped', text: result.reason };
  const count = result.entry.skills?.size ?? 0;
  return { state: 'done', text: `${count} ${count === 1 ? 'skill' : 'skills'}` };
}

/** A skills folder that is named as a server is looked at without `--skills` too. */
async function wantedSkills(
  { cwd, skills, servers, pinned }: SurveyOptions,
  policy: Policy,
): Promise<SkillsSurvey | undefined> {
  const named = (servers ?? []).filter((key) => key.startsWith(SKILLS_PREFIX));
  if (skills === undefined && named.length === 0) return undefined;
  const given = skills === true ? true : skills === undefined ? [] : [skills];
  const { surveySkills } = await import('./survey-skills.ts');
  return surveySkills(
    cwd,
    given === true ? true : [...given, ...named.map((key) => key.slice(SKILLS_PREFIX.length))],
    policy,
    pinned,
  );
}

/** As `loadConfigs`; where skills are looked at too, a folder without any config is fine. */
export async function loadDeclared(options: SurveyOptions): Promise<LoadedConfigs> {
  try {
    return await loadConfigs(options);
  } catch (error) {
    const none = error instanceof AgentGateError && error.code === 'E_NO_CONFIG';
    const skills =
      options.skills !== undefined || options.servers?.some((key) => key.startsWith(SKILLS_PREFIX));
    if (!none || skills !== true) throw error;
    return { servers: [], errors: [], notes: [], files: [], looked: [] };
  }
}

async function surveyOne(
  declared: DeclaredServer,
  options: SurveyOptions &
    Pick<CaptureOptions, 'onExit'> & {
      files: readonly string[];
      pinning: Ahead<typeof import('./lock/pin.ts')>;
    },
  policy: Policy,
  secrets: Set<string>,
  memory: MemoryPool,
): Promise<SurveyedServer> {
  const rules = serverPolicy(policy, declared.key);
  const source = deriveSource(declared.launch, { root: declared.root });
  const skipped = rules.skip ?? declared.disabled;
  if (skipped !== undefined) {
    options.onProgress?.({ server: declared.key, state: 'skipped', text: skipped });
    return { declared, source, result: { state: 'skipped', reason: skipped } };
  }
  const fail = (plain: CaptureError, capture?: Capture): SurveyedServer => {
    const error = withAdvice(plain, source?.type);
    options.onProgress?.({ server: declared.key, state: 'failed', text: error.message });
    return { declared, source, capture, result: { state: 'failed', error } };
  };
  try {
    const resolved = resolveServer(declared, { env: options.env, policy: rules, cwd: options.cwd });
    for (const secret of resolved.secrets) secrets.add(secret);
    const redact = createRedactor(resolved.secrets);
    const capture = await captureServer(resolved, {
      timeoutMs:
        rules.timeout !== undefined ? rules.timeout * 1000 : (options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
      installTimeoutMs: rules.installTimeout === undefined ? INSTALL_LIMIT_MS : rules.installTimeout * 1000,
      isolation: options.isolation,
      policy: rules,
      source,
      starts: options.starts,
      env: options.env,
      redact,
      memory,
      onExit: options.onExit,
      onProgress: (state) => {
        if (state === 'starting') options.pinning.begin();
        options.onProgress?.({ server: declared.key, state });
      },
      signal: options.signal,
    });
    if (!capture.ok) return fail(capture.error, capture);
    const { pinSurface } = await options.pinning.get();
    const offered = [capture.surface, capture.second].some((surface) => surface?.skills !== undefined);
    const skills = offered ? await import('./lock/pin-server-skills.ts') : undefined;
    const pin = (surface: typeof capture.surface) =>
      pinSurface(surface, {
        server: declared.key,
        paths: capture.paths ?? {},
        secrets: resolved.secretNames,
        policy: rules,
        launch: launchRecord(declared, { cwd: options.cwd, variables: resolved.variables, redact }),
        source: capture.source,
        config: declared.config,
        gate: gateRecord(declared, { cwd: options.cwd, files: options.files, redact }),
        pinSkills: skills?.pinServerSkills,
      });
    const { entry, problems, idleMasks } = pin(capture.surface);
    const problem = problems[0];
    if (problem) {
      const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
      return fail({ code: problem.code, message: problem.message + more }, capture);
    }
    if (capture.second) {
      const { unstableError } = await import('./unstable.ts');
      const unstable = unstableError(declared.key, entry, pin(capture.second).entry);
      if (unstable) return fail(unstable, capture);
    }
    delete capture.second;
    options.onPinned?.(declared.key, entry);
    const tools = entry.tools?.size ?? 0;
    options.onProgress?.({
      server: declared.key,
      state: 'done',
      text: `${tools} ${tools === 1 ? 'tool' : 'tools'}`,
    });
    return { declared, source, capture, result: { state: 'listed', entry, idleMasks } };
  } catch (error) {
    const code = error instanceof AgentGateError ? error.code : 'E_INTERNAL';
    return fail({ code, message: messageOf(error) });
  }
}
