import { z } from 'zod';
import { SEVERITIES } from './severities.ts';

/**
 * The report: the one model that the comment, the summary, the terminal text, SARIF and the annotations are
 * drawn from (`DESIGN.md` §11). Its JSON Schema is published as `schema/report.schema.json`.
 */

const severity = z.enum(SEVERITIES);

const source = z.object({
  type: z.enum(['npm', 'pypi', 'local', 'remote']),
  kind: z.string().optional(),
  package: z.string().optional(),
  version: z.string().optional(),
  requested: z.string().optional(),
  integrity: z.string().optional(),
  url: z.string().optional(),
  path: z.string().optional(),
  mutable: z.boolean().optional(),
  via: z
    .object({
      type: z.enum(['npm', 'pypi']),
      package: z.string(),
      version: z.string().optional(),
      requested: z.string().optional(),
    })
    .optional(),
});

const serverReport = z.object({
  key: z.string(),
  status: z.enum(['match', 'drift', 'new', 'gone', 'unchecked', 'skipped']),
  /** Why the surface drifted; only with status `drift`. */
  cause: z
    .enum([
      'release-changed',
      'same-release',
      'floating-release',
      'launch-changed',
      'protocol-changed',
      'credentials-changed',
      'masks-changed',
      'remote-changed',
      'unknown',
    ])
    .optional(),
  /** The cause in one plain sentence. */
  causeText: z.string().optional(),
  /** Whether this pull request changed the server's entry in its config; absent when not known. */
  touched: z.boolean().optional(),
  config: z.string().optional(),
  /** 1-based place of the entry in `config`, or of what is wrong in it. */
  line: z.number().int().optional(),
  column: z.number().int().optional(),
  /** 1-based line of the server in the lock. */
  lockLine: z.number().int().optional(),
  source: source.optional(),
  lockedSource: source.optional(),
  /** In the base lock of a pull request. */
  baseSource: source.optional(),
  transport: z.string().optional(),
  protocolVersion: z.string().optional(),
  isolation: z.string().optional(),
  installMs: z.number().optional(),
  startMs: z.number().optional(),
  listMs: z.number().optional(),
  /** Counts of the live surface, else of the lock. */
  tools: z.number().int(),
  prompts: z.number().int().optional(),
  resources: z.number().int().optional(),
  resourceTemplates: z.number().int().optional(),
  skills: z.number().int().optional(),
  /** The lock holds only hashes for this server: old texts cannot be shown. */
  hashOnly: z.boolean().optional(),
  error: z.object({ code: z.string(), message: z.string(), stderr: z.string().optional() }).optional(),
  /** For `skipped`. */
  reason: z.string().optional(),
  /** For `skipped`, when a lock pins the server: why its being skipped is not to be passed over. */
  switchedOff: z
    .object({
      /** This pull request switches it off: its base started it. */
      byPullRequest: z.literal(true).optional(),
      /** A client that does not know the switch, and may start it all the same. */
      ignoredBy: z.string().optional(),
    })
    .optional(),
});

const fieldChange = z.object({
  pointer: z.string(),
  class: z.string(),
  severity,
  before: z.json().optional(),
  after: z.json().optional(),
  beforeUnknown: z.literal(true).optional(),
});

const change = z.object({
  server: z.string(),
  kind: z.enum(['tool', 'prompt', 'resource', 'resourceTemplate', 'instructions', 'skill', 'server']),
  name: z.string(),
  change: z.enum(['added', 'removed', 'changed', 'renamed']),
  from: z.string().optional(),
  severity,
  accepted: z.boolean(),
  /** 1-based line of the capability in the lock. */
  lockLine: z.number().int().optional(),
  fields: z.array(fieldChange),
});

const finding = z.object({
  rule: z.string(),
  severity,
  server: z.string(),
  kind: z.enum([
    'tool',
    'prompt',
    'resource',
    'resourceTemplate',
    'instructions',
    'skill',
    'server',
    'config',
  ]),
  name: z.string(),
  pointer: z.string(),
  message: z.string(),
  evidence: z.string(),
  suppressed: z.string().nullable(),
  lockLine: z.number().int().optional(),
});

const reportError = z.object({
  code: z.string(),
  message: z.string(),
  file: z.string().optional(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
});

export const reportSchema = z.object({
  schemaVersion: z.literal(1),
  agentgateVersion: z.string(),
  /**
   * Made by a command other than a check. `lock`: status and changes compare the old lock with what the new one pins;
   * `diff`: one lock file with another.
   */
  purpose: z.enum(['lock', 'diff']).optional(),
  verdict: z.enum(['clean', 'drift', 'findings', 'unchecked']),
  exitCode: z.number().int().min(0).max(2),
  failOn: z.enum(['any', 'critical', 'high', 'medium', 'low', 'never']),
  lockfile: z.object({
    path: z.string(),
    /** Of the file's bytes; null when there is no lock. */
    sha256: z.string().nullable(),
  }),
  /** The lock on the pull request's base, when the base was looked at. */
  baseLockfile: z.object({ sha256: z.string().nullable(), commit: z.string() }).optional(),
  /** What was looked at where that was told, and not every known file; only of a check. */
  scope: z
    .object({
      config: z.array(z.string()).optional(),
      allClients: z.literal(true).optional(),
      /** The usual folders, or this one. */
      skills: z.union([z.literal(true), z.string()]).optional(),
    })
    .optional(),
  /** Where the report was made; only in the action. */
  context: z
    .object({
      event: z.string(),
      repository: z.string(),
      workingDirectory: z.string(),
      runUrl: z.string().optional(),
      pullRequest: z.object({ number: z.number().int(), head: z.string(), base: z.string() }).optional(),
    })
    .optional(),
  durationMs: z.number(),
  servers: z.array(serverReport),
  changes: z.array(change),
  findings: z.array(finding),
  errors: z.array(reportError),
  info: z.array(z.object({ code: z.string(), server: z.string().optional(), message: z.string() })),
});

export type Report = z.infer<typeof reportSchema>;
export type ServerReport = z.infer<typeof serverReport>;
export type ReportChange = z.infer<typeof change>;
export type ReportField = z.infer<typeof fieldChange>;
export type ReportFinding = z.infer<typeof finding>;
export type ReportError = z.infer<typeof reportError>;
