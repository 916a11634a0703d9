import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { formatReport } from '../../src/report/json.ts';
import { parseReport, reportJsonSchema } from '../../src/report/parse-report.ts';
import { AgentGateError } from '../../src/util/errors.ts';
import { report, rugPull, server } from './fixtures.ts';

const published = resolve(import.meta.dirname, '../../schema/report.schema.json');

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof AgentGateError) return error.code;
    throw error;
  }
  return 'no error';
}

describe('the published schema', () => {
  test('is the one that the code makes; else run node scripts/schemas.ts', () => {
    expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(reportJsonSchema())),
    );
  });

  test('takes real reports and refuses others', () => {
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(published, 'utf8')));
    for (const made of [report(), rugPull(), report({ servers: [server('a')] })]) {
      expect(validate(JSON.parse(formatReport(made))), JSON.stringify(validate.errors)).toBe(true);
    }
    expect(validate({ ...report(), verdict: 'fine' })).toBe(false);
    expect(validate({ ...report(), exitCode: 3 })).toBe(false);
  });
});

describe('reading a report', () => {
  test('gives what was written', () => {
    expect(parseReport(formatReport(rugPull()))).toEqual(JSON.parse(JSON.stringify(rugPull())));
  });

  test('keeps members named like those of every object', () => {
    const text = formatReport(rugPull()).replace('"type": "string"', '"__proto__": "string"');
    const field = parseReport(text).changes[0]?.fields[1]?.after;
    expect(Object.keys(field ?? {})).toContain('__proto__');
  });

  test.each([
    ['E_REPORT_SYNTAX', '{"schemaVersion": 1'],
    ['E_REPORT_SYNTAX', ''],
    ['E_REPORT_VERSION', '{"schemaVersion": 2}'],
    ['E_REPORT_SHAPE', '{"schemaVersion": 1}'],
    ['E_REPORT_SHAPE', '[]'],
    ['E_REPORT_SHAPE', 'null'],
    ['E_REPORT_SHAPE', '['.repeat(100_000)],
    ['E_REPORT_SHAPE', formatReport({ ...report(), exitCode: 7 })],
  ])('%s', (code, text) => {
    expect(codeOf(() => parseReport(text))).toBe(code);
  });

  test('too large, in bytes', () => {
    const text = formatReport(report({ info: [{ code: 'x', message: 'ü'.repeat(600) }] }));
    expect(codeOf(() => parseReport(text, { maxBytes: 1_024 }))).toBe('E_REPORT_TOO_LARGE');
    expect(codeOf(() => parseReport(text, { maxBytes: 4_096 }))).toBe('no error');
  });

  test('the message says where', () => {
    expect(() =>
      parseReport(formatReport({ ...report(), durationMs: Number.NaN }), { file: 'r.json' }),
    ).toThrow(/r\.json.*\/durationMs/);
  });
});
