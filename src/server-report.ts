import type { LockedServer } from './lock/types.ts';
import type { ServerReport } from './report/model.ts';
import type { Survey, SurveyedServer } from './survey.ts';

/** What the report says of a surveyed server before it is compared with the lock. */
export function serverReport(server: SurveyedServer, locked: LockedServer | undefined): ServerReport {
  const { declared, capture, result, source } = server;
  const report: ServerReport = {
    key: declared.key,
    status: 'match',
    config: declared.config,
    line: declared.line,
    column: declared.column,
    source: capture?.source ?? source,
    lockedSource: locked?.source,
    transport: declared.launch.transport === 'auto' ? undefined : declared.launch.transport,
    // What never ran was not run without isolation.
    isolation: capture && (capture.ok || capture.times.startMs > 0) ? capture.isolation : undefined,
    installMs: capture?.times.installMs,
    startMs: capture?.times.startMs,
    listMs: capture?.times.listMs,
    tools: locked?.tools?.size ?? 0,
  };
  if (result.state === 'skipped') return { ...report, status: 'skipped', reason: result.reason };
  if (result.state === 'failed') return { ...report, status: 'unchecked', error: result.error };
  const { entry } = result;
  return {
    ...report,
    ...countsOfEntry(entry),
    transport: entry.transport,
    protocolVersion: entry.protocolVersion,
    hashOnly: locked !== undefined && isHashOnly(locked) ? true : undefined,
  };
}

/** What the report says of an entry that could not be read. */
export function unreadableReport(
  { key, config, line, column, error }: Survey['unreadable'][number],
  locked: LockedServer | undefined,
): ServerReport {
  const tools = locked?.tools?.size ?? 0;
  return { key, status: 'unchecked', config, line, column, error, lockedSource: locked?.source, tools };
}

/** How many capabilities an entry has. */
export function countsOfEntry(
  entry: LockedServer,
): Pick<ServerReport, 'tools' | 'prompts' | 'resources' | 'skills'> {
  return {
    tools: entry.tools?.size ?? 0,
    prompts: entry.prompts?.size,
    resources: entry.resources?.size,
    ...(entry.resourceTemplates && { resourceTemplates: entry.resourceTemplates.size }),
    skills: entry.skills?.size,
  };
}

function isHashOnly(entry: LockedServer): boolean {
  const tools = [...(entry.tools?.values() ?? [])];
  return tools.length > 0 && tools.every((tool) => tool.definition === undefined);
}
