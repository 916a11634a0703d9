import { isObject, own, pointerTokens } from '../util/json.ts';
import type { ReportChange } from './model.ts';

const KINDS: Record<string, ReportChange['kind']> = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resourceTemplate',
  skills: 'skill',
  instructions: 'instructions',
};

/**
 * A new or gone server as the change of kind `server` with what launches it, and one change for each of its
 * capabilities, from the fields (`/tools/read_file`, `/instructions`). Empty for any other change.
 */
export function capabilitiesOf(change: ReportChange): ReportChange[] {
  if (change.kind !== 'server' || (change.change !== 'added' && change.change !== 'removed')) return [];
  const side = change.change === 'added' ? 'after' : 'before';
  const rest: ReportChange['fields'] = [];
  const capabilities: ReportChange[] = [];
  for (const field of change.fields) {
    const [list, name, ...deeper] = pointerTokens(field.pointer);
    const kind = list !== undefined && Object.hasOwn(KINDS, list) ? KINDS[list] : undefined;
    if (kind === undefined || deeper.length > 0 || (name === undefined) !== (kind === 'instructions')) {
      rest.push(field);
      continue;
    }
    const value = field[side];
    const definition = isObject(value) ? (own(value, 'definition') ?? value) : value;
    capabilities.push({
      server: change.server,
      kind,
      name: name ?? '',
      change: change.change,
      severity: field.severity,
      accepted: change.accepted,
      ...(change.lockLine === undefined ? {} : { lockLine: change.lockLine }),
      fields:
        definition === undefined
          ? []
          : [{ ...field, pointer: kind === 'instructions' ? '/text' : '', [side]: definition }],
    });
  }
  return [{ ...change, fields: rest }, ...capabilities];
}
