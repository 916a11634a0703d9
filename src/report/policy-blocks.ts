import { type Block, type Inline, name, paragraph, plural, strong, text } from './document.ts';
import type { Report } from './model.ts';

/** Code of the infos that tell what a pull request's policy lets pass or gives away. */
export const POLICY_CHANGED = 'policy-changed';

/** True when the pull request's policy lets pass, or gives away, more than its base's. */
export function changesPolicy(report: Report): boolean {
  return report.info.some(({ code }) => code === POLICY_CHANGED);
}

/** What the pull request's policy lets pass or gives away, at most `max`: a reader decides about it as about the lock. */
export function policyBlocks(report: Report, max: number): Block[] {
  const found = report.info.filter(({ code }) => code === POLICY_CHANGED);
  if (found.length === 0) return [];
  const items = found
    .slice(0, max)
    .map(({ server, message }): Inline[] => [
      ...(server === undefined ? [] : [strong(name(server)), text(': ')]),
      name(message),
    ]);
  const more = found.length - items.length;
  if (more > 0) items.push([text(`${plural(more, 'more point', 'more points')} in the full report`)]);
  const blocks: Block[] = [
    paragraph(text('This pull request changes the policy that it is checked by. It')),
    { kind: 'list', items },
  ];
  return [{ kind: 'alert', level: 'warning', blocks }];
}
