import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { ruleInfos } from '../../src/findings/rules/all.ts';
import type { Report, ReportChange, ReportFinding } from '../../src/report/model.ts';
import { MAX_RESULTS, renderSarif } from '../../src/report/sarif.ts';

// The OASIS schema, as Microsoft's package ships it.
const schemaFile = createRequire(import.meta.url)
  .resolve('@microsoft/jest-sarif')
  .replace(/lib\/index\.js$/, 'lib/schemas/sarif-2.1.0-rtm.5.json');
// Draft 04, but for these two members all of it reads the same in draft 07.
const {
  $schema: _,
  id: __,
  ...schema
} = JSON.parse(readFileSync(schemaFile, 'utf8')) as Record<string, unknown>;
const ajv = new Ajv({
  strict: false,
  unicodeRegExp: false,
  allErrors: true,
  formats: {
    uri: (text: string) => URL.canParse(text),
    'uri-reference': (text: string) => URL.canParse(text, 'file:///r/') && !/[\s<>"{}|\\^`]/.test(text),
    'date-time': true,
  },
});
const validate = ajv.compile(schema);

interface Result {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[];
  partialFingerprints: Record<string, string>;
  suppressions?: { justification: string }[];
}

interface Run {
  tool: { driver: { rules: { id: string; help?: { text: string } }[] } };
  invocations: {
    executionSuccessful: boolean;
    toolExecutionNotifications?: { message: { text: string } }[];
  }[];
  results: Result[];
}

function runOf(report: Report): Run {
  const log: { runs: Run[] } = JSON.parse(renderSarif(report));
  validate(log);
  expect(validate.errors ?? []).toEqual([]);
  expect(log.runs).toHaveLength(1);
  return log.runs[0] as Run;
}

const change = (more: Partial<ReportChange> = {}): ReportChange => ({
  server: 'files',
  kind: 'tool',
  name: 'read_file',
  change: 'changed',
  severity: 'medium',
  accepted: false,
  lockLine: 12,
  fields: [{ pointer: '/description', class: 'text-changed', severity: 'medium', before: 'a', after: 'b' }],
  ...more,
});

const finding = (more: Partial<ReportFinding> = {}): ReportFinding => ({
  rule: 'AG-TP-001',
  severity: 'high',
  server: 'files',
  kind: 'tool',
  name: 'read_file',
  pointer: '/description',
  message: 'The text at /description asks the model to keep something from the user.',
  evidence: '…do not tell the user…',
  suppressed: null,
  lockLine: 12,
  ...more,
});

const report = (more: Partial<Report> = {}): Report => ({
  schemaVersion: 1,
  agentgateVersion: '0.1.0',
  verdict: 'drift',
  exitCode: 1,
  failOn: 'any',
  lockfile: { path: 'agentgate.lock', sha256: 'a'.repeat(64) },
  durationMs: 1,
  servers: [{ key: 'files', status: 'drift', config: '.mcp.json', line: 3, lockLine: 5, tools: 1 }],
  changes: [],
  findings: [],
  errors: [],
  info: [],
  ...more,
});

const lineOf = ({ locations }: Result): [string, number] => {
  const [first] = locations;
  return [first?.physicalLocation.artifactLocation.uri ?? '', first?.physicalLocation.region.startLine ?? 0];
};

describe('renderSarif', () => {
  it('is valid when there is nothing to say', () => {
    expect(runOf(report({ verdict: 'clean', exitCode: 0 })).results).toEqual([]);
  });

  it('gives a result for each unaccepted change and each finding, and none for what is accepted', () => {
    const run = runOf(
      report({ changes: [change(), change({ name: 'b', accepted: true })], findings: [finding()] }),
    );
    expect(run.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['AG-TP-001', 'error'],
      ['AG-DR-001', 'warning'],
    ]);
    for (const result of run.results) expect(run.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
  });

  it.each([
    ['critical', 'error'],
    ['high', 'error'],
    ['medium', 'warning'],
    ['low', 'note'],
    ['info', 'note'],
  ] as const)('maps %s to %s', (severity, level) => {
    expect(runOf(report({ changes: [change({ severity })] })).results[0]?.level).toBe(level);
  });

  it('points to the lock’s line, else to the config’s, relative to the repository', () => {
    const context = { event: 'push', repository: 'a/b', workingDirectory: 'services/my api' };
    const run = runOf(
      report({
        context,
        changes: [
          change(),
          change({ name: 'x', lockLine: undefined }),
          change({ server: 'new', kind: 'server', name: '', lockLine: undefined }),
        ],
        findings: [finding({ kind: 'config', name: '', rule: 'AG-CF-001' })],
        servers: [
          { key: 'files', status: 'drift', config: '.mcp.json', line: 3, lockLine: 5, tools: 1 },
          { key: 'new', status: 'new', config: '.mcp.json', line: 9, tools: 1 },
        ],
      }),
    );
    const places = run.results.map((result) => [result.ruleId, ...lineOf(result)]);
    expect(places).toContainEqual(['AG-DR-001', 'services/my%20api/agentgate.lock', 12]);
    expect(places).toContainEqual(['AG-DR-001', 'services/my%20api/agentgate.lock', 5]);
    expect(places).toContainEqual(['AG-DR-005', 'services/my%20api/.mcp.json', 9]);
    expect(places).toContainEqual(['AG-CF-001', 'services/my%20api/.mcp.json', 3]);
  });

  it.each([
    '/etc/agentgate.lock',
    '../../agentgate.lock',
    'C:\\x\\agentgate.lock',
    'a:b/agentgate.lock',
    'ü/agentgate.lock',
  ])('keeps %s a relative URI inside the repository', (path) => {
    const [result] = runOf(report({ lockfile: { path, sha256: null }, changes: [change()] })).results;
    const [uri] = result ? lineOf(result) : [''];
    expect(uri).toMatch(/^(?!\.\.)[\w%./-]*agentgate\.lock$/);
    expect(uri).not.toMatch(/^\/|:|\.\.\//);
  });

  it('keeps fingerprints when lines and wording change, and tells capabilities apart', () => {
    const prints = (more: Partial<ReportChange>): string[] =>
      runOf(report({ changes: [change(more)] })).results.map(
        (result) => result.partialFingerprints.primaryLocationLineHash ?? '',
      );
    expect(prints({})).toEqual(prints({ lockLine: 99, severity: 'low', fields: [] }));
    expect(prints({})).not.toEqual(prints({ name: 'other' }));
    expect(prints({})[0]).toMatch(/^[0-9a-f]{16}:1$/);
  });

  it('numbers results that are the same alert, so that each is shown', () => {
    const twice = [finding({ evidence: 'one' }), finding({ evidence: 'two' })];
    const prints = runOf(report({ findings: twice })).results.map(
      (result) => result.partialFingerprints.primaryLocationLineHash ?? '',
    );
    expect(new Set(prints).size).toBe(2);
    expect(prints.map((print) => print.replace(/^[0-9a-f]{16}:/, ''))).toEqual(['1', '2']);
    expect(prints[0]?.slice(0, 16)).toBe(prints[1]?.slice(0, 16));
  });

  it('marks suppressed findings with their reason', () => {
    const [result] = runOf(report({ findings: [finding({ suppressed: 'quotes an attack' })] })).results;
    expect(result?.suppressions?.[0]?.justification).toBe('quotes an attack');
  });

  it('gives a result for what was not checked, so that no alert is closed by a failed run', () => {
    const run = runOf(
      report({
        verdict: 'unchecked',
        exitCode: 2,
        servers: [
          {
            key: 'files',
            status: 'unchecked',
            config: '.mcp.json',
            line: 3,
            tools: 0,
            error: { code: 'E_START', message: 'it did not start' },
          },
        ],
        errors: [{ code: 'E_LOCK_MISSING', message: 'there is no agentgate.lock', file: 'agentgate.lock' }],
        info: [{ code: 'x', message: 'y' }],
      }),
    );
    expect(run.results.map(({ ruleId }) => ruleId)).toEqual(['AG-DR-006', 'AG-DR-007']);
    expect(run.invocations[0]?.executionSuccessful).toBe(false);
    expect(run.invocations[0]?.toolExecutionNotifications).toHaveLength(2);
  });

  it('keeps hostile text plain and short', () => {
    const evil = `[click](https://x.example)\n::error::x \u202e${'A'.repeat(5000)}`;
    const [result] = runOf(
      report({ findings: [finding({ evidence: evil, name: evil, message: evil })] }),
    ).results;
    const text = result?.message.text ?? '';
    expect(text.length).toBeLessThanOrEqual(1000);
    expect(text).not.toMatch(/(?<!\\)\[/);
    expect(text).not.toContain('\n');
    expect(text).toContain('⟨U+202E⟩');
  });

  it('says something of every rule, within GitHub’s limits', () => {
    const run = runOf(report({ findings: ruleInfos().map(({ id }) => finding({ rule: id })) }));
    expect(run.tool.driver.rules.length).toBe(ruleInfos().length);
    for (const rule of run.tool.driver.rules) {
      expect(rule.help?.text.length).toBeGreaterThan(20);
      expect(rule.help?.text.length).toBeLessThanOrEqual(1024);
    }
  });

  it('accepts a rule of another release', () => {
    expect(
      runOf(report({ findings: [finding({ rule: 'AG-TP-999' })] })).tool.driver.rules.map(({ id }) => id),
    ).toEqual(['AG-TP-999']);
  });

  it('stays within the number of results that GitHub takes, worst first', () => {
    const many = Array.from({ length: MAX_RESULTS + 5 }, (_, index) =>
      change({ name: `t${index}`, severity: 'low' }),
    );
    const log: { runs: Run[] } = JSON.parse(
      renderSarif(report({ changes: [...many, change({ severity: 'critical' })] })),
    );
    const [run] = log.runs;
    expect(run?.results).toHaveLength(MAX_RESULTS);
    expect(run?.results[0]?.level).toBe('error');
    expect(run?.invocations[0]?.toolExecutionNotifications?.[0]?.message.text).toMatch(/^6 results/);
  });
});
