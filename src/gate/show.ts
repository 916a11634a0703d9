import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { isOutside } from '../config/config-files.ts';
import { visible, visibleLine } from '../util/hidden.ts';
import { type JsonObject, own } from '../util/json.ts';
import { namedPaths } from './checkpoints/paths.ts';
import type { Proposal, ProposalState } from './proposals.ts';

const MAX_TEXT = 200_000;

/**
 * What a human sees before deciding, as plain lines: hidden, bidirectional and control characters are shown as code
 * points. Where the call writes a text to a file that is there, the difference is shown.
 *
 * @param root - the server's folder; no file is read when it is not known
 */
export function showProposal(
  proposal: Proposal,
  state: ProposalState,
  options: { root?: string; running: boolean },
): string {
  const lines = [
    `${proposal.id}  ${options.running ? 'being carried out' : state}`,
    `  server    ${visibleLine(proposal.server)}`,
    `  tool      ${visibleLine(proposal.tool)}`,
    `  tier      ${proposal.tier}${proposal.codes.length > 0 ? ` (${proposal.codes.map(visibleLine).join(', ')})` : ''}`,
    `  reason    ${visibleLine(proposal.reason)}`,
    `  proposed  ${proposal.created}`,
    `  payload   sha256 ${proposal.payload_sha256}`,
    `  state     ${visibleLine(proposal.state_fingerprint)}`,
  ];
  const { approval, rejection, start, end } = proposal;
  if (approval) lines.push(`  approved  ${approval.at} by ${visibleLine(approval.claims.op)}`);
  if (rejection)
    lines.push(
      `  rejected  ${rejection.at} by ${visibleLine(rejection.by)}: ${visibleLine(rejection.reason)}`,
    );
  if (start) lines.push(`  started   ${start.at} by ${visibleLine(start.by)}`);
  if (end)
    lines.push(`  ended     ${end.at} ${visibleLine(`${end.code ?? ''} ${end.message ?? ''}`).trim()}`);
  lines.push('  arguments', indent(visible(JSON.stringify(proposal.arguments, null, 2))));
  if (proposal.redacted)
    lines.push(
      '  (a secret in the arguments is shown as ***; only the agent can send this call, by repeating it)',
    );
  const difference =
    options.root === undefined ? undefined : fileDifference(proposal.arguments, options.root);
  if (difference !== undefined) lines.push('  against the file as it is now', indent(visible(difference)));
  return lines.join('\n');
}

/** The difference that a `content` makes to the one file that is named; undefined where there is none to show. */
function fileDifference(args: JsonObject, root: string): string | undefined {
  const content = own(args, 'content') ?? own(args, 'text') ?? own(args, 'contents');
  const [path, ...more] = namedPaths(args);
  if (typeof content !== 'string' || path === undefined || more.length > 0) return undefined;
  try {
    const file = realpathSync(isAbsolute(path) ? path : resolve(root, path));
    if (isOutside(realpathSync(root), file) || !statSync(file).isFile()) return undefined;
    if (statSync(file).size > MAX_TEXT || content.length > MAX_TEXT) return '(too large to compare)';
    const now = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
    return createTwoFilesPatch(path, path, now, content, 'now', 'proposed', { context: 3, timeout: 2_000 });
  } catch {
    return undefined;
  }
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
