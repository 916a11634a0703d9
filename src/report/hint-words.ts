import type { ReportField } from './model.ts';

/** What a tool says of itself by a hint: when it is true, and when it is false (MCP 2025-06-18, `ToolAnnotations`). */
const HINTS: ReadonlyMap<string, [yes: string, no: string]> = new Map([
  ['readOnlyHint', ['that it only reads', 'that it changes things']],
  ['destructiveHint', ['that it can destroy data', 'that it destroys nothing']],
  [
    'idempotentHint',
    ['that calling it twice does no more than once', 'that calling it twice does more than once'],
  ],
  ['openWorldHint', ['that it reaches other systems', 'that it stays within its own data']],
]);

/** The hints in the order in which they are shown. */
export const HINT_NAMES: readonly string[] = [...HINTS.keys()];

/** `the tool now says that it can destroy data`; undefined for a field that is no such hint. */
export function hintPhrase({
  pointer,
  before,
  after,
}: Pick<ReportField, 'pointer' | 'before' | 'after'>): string | undefined {
  const words = HINTS.get(/^\/annotations\/(\w+)$/.exec(pointer)?.[1] ?? '');
  if (words === undefined) return undefined;
  if (typeof after === 'boolean') return `the tool now says ${words[after ? 0 : 1]}`;
  return typeof before === 'boolean' ? `the tool no longer says ${words[before ? 0 : 1]}` : undefined;
}
