import { z } from 'zod';
import { AgentGateError } from '../util/errors.ts';
import { type Report, reportSchema } from './model.ts';

/** A report larger than this is refused: 8 MiB. */
export const REPORT_MAX_BYTES = 8 * 1024 * 1024;
/** Deeper than any pinnable definition (200) plus the report's own levels. */
const MAX_DEPTH = 256;

/**
 * Reads a report that was made elsewhere, as `mode: comment` does. Its texts stay hostile: renderers treat them so.
 * @throws AgentGateError `E_REPORT_TOO_LARGE`, `E_REPORT_SYNTAX`, `E_REPORT_VERSION` or `E_REPORT_SHAPE`
 */
export function parseReport(text: string, options: { maxBytes?: number; file?: string } = {}): Report {
  const place = options.file === undefined ? {} : { file: options.file };
  const what = options.file === undefined ? 'The report' : `The report ${options.file}`;
  const fail = (code: string, problem: string, cause?: unknown): AgentGateError =>
    new AgentGateError(code, `${what} ${problem}`, place, { cause });
  const maxBytes = options.maxBytes ?? REPORT_MAX_BYTES;
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes)
    throw fail(
      'E_REPORT_TOO_LARGE',
      `has ${bytes} bytes, more than the ${maxBytes} that are read; make it anew.`,
    );
  if (depthOf(text) > MAX_DEPTH)
    throw fail('E_REPORT_SHAPE', `is nested deeper than ${MAX_DEPTH} levels; make it anew with agentgate.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fail('E_REPORT_SYNTAX', 'is not JSON; pass the file that the check wrote as its report.', error);
  }
  if (typeof value === 'object' && value !== null && 'schemaVersion' in value && value.schemaVersion !== 1)
    throw fail(
      'E_REPORT_VERSION',
      'was written by another release of agentgate; use the same release for both jobs.',
    );
  const result = reportSchema.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0];
    const where = issue === undefined || issue.path.length === 0 ? '' : ` at /${issue.path.join('/')}`;
    throw fail(
      'E_REPORT_SHAPE',
      `is no report of agentgate${where}; pass the file that the check wrote.`,
      result.error,
    );
  }
  // Not zod's copy: that loses members named `__proto__`, where a text could hide.
  return value as Report;
}

/** The JSON Schema (draft 2020-12) of a report, as published in `schema/report.schema.json`. */
export function reportJsonSchema(): object {
  return {
    ...z.toJSONSchema(reportSchema, { io: 'input' }),
    title: 'AgentGate report',
    description: 'What `agentgate ci --format json` and the action write.',
  };
}

/** Deepest nesting of brackets outside strings, without building anything. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x5d || code === 0x7d) depth--;
  }
  return deepest;
}
