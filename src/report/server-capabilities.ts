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
 * The capabilities of a new or gone server, one change each, from the fields of its change of kind `server`
 * (`/tools/read_file`, `/instructions`). Fields of another shape are left to the server's own change.
 */
export function capabilitiesOf(change: ReportChange): ReportChange[] {
  if (change.kind !== 'server' || (change.change !== 'added' && change.change !== 'removed')) return [];
  return change.fields.flatMap((field): ReportChange[] => {
    const [list, name, ...deeper] = pointerTokens(field.pointer);
    const kind = list !== undefined && Object.hasOwn(KINDS, list) ? KINDS[list] : undefined;
    if (kind === undefined || deeper.length > 0 || (name === undefined) !== (kind === 'instructions'))
      return [];
    const side = change.change === 'added' ? 'after' : 'before';
    const value = field[side];
    const definition = isObject(value) ? (own(value, 'definition') ?? value) : value;
    return [
      {
        server: change.server,
        kind,
        name: name ?? '',
        change: change.change,
        severity: field.severity,
        accepted: change.accepted,
        fields:
          definition === undefined
            ? []
            : [{ ...field, pointer: kind === 'instructions' ? '/text' : '', [side]: definition }],
      },
    ];
  });
}
