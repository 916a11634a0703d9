import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { foldLookAlike } from '../findings/look-alikes.ts';
import { codePointName, visible, visibleLine } from '../util/hidden.ts';
import { type JsonObject, own } from '../util/json.ts';
import { isOutside } from '../util/paths.ts';
import { meantBySole } from './checkpoints/paths.ts';
import type { ServerPlaces } from './checkpoints/server-places.ts';
import type { Proposal, ProposalState } from './proposals.ts';

const MAX_TEXT = 200_000;
const MAX_FILES = 3;
/** Characters that fit on a screen. */
const LONG = 4_000;

/**
 * What a human sees before deciding, as plain lines: hidden, bidirectional and control characters are shown as code
 * points. Where the call writes a text to a file that is there, the difference is shown.
 *
 * @param options - `places`: where the server's paths lead; no file is read when that is not known
 */
export function showProposal(
  proposal: Proposal,
  state: ProposalState,
  options: { places?: ServerPlaces; running: boolean },
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
  const args = JSON.stringify(proposal.arguments, null, 2);
  // What matters may be far above or below the rest.
  const long = args.length > LONG ? ` (${args.length} characters: read all of them)` : '';
  lines.push(`  arguments${long}`, indent(exact(args)));
  if (proposal.redacted)
    lines.push(
      '  (a secret in the arguments is shown as ***; only the agent can send this call, by repeating it)',
    );
  const difference =
    options.places === undefined ? undefined : fileDifference(proposal.arguments, options.places);
  if (difference !== undefined) lines.push('  against the file as it is now', indent(exact(difference)));
  if (long !== '') lines.push(`  end of the ${args.length} characters of arguments of ${proposal.id}`);
  return lines.join('\n');
}

/**
 * The difference that a `content` makes to the file that is named, or to each that may be; undefined where there is none to
 * show.
 */
function fileDifference(args: JsonObject, places: ServerPlaces): string | undefined {
  const content = own(args, 'content') ?? own(args, 'text') ?? own(args, 'contents');
  if (typeof content !== 'string') return undefined;
  const shown = meantBySole(args, places)
    .map((path) => differenceTo(path, content, places.root))
    .filter((text) => text !== undefined);
  return shown.length === 0 ? undefined : shown.slice(0, MAX_FILES).join('\n');
}

function differenceTo(path: string, content: string, root: string): string | undefined {
  try {
    const inside = relative(realpathSync(root), path);
    if (isOutside(realpathSync(root), path) || !lstatSync(path).isFile()) return undefined;
    if (statSync(path).size > MAX_TEXT || content.length > MAX_TEXT)
      return `(${inside} is too large to compare)`;
    const now = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    return createTwoFilesPatch(inside, inside, now, content, 'now', 'proposed', {
      context: 3,
      timeout: 2_000,
    });
  } catch {
    return undefined;
  }
}

/**
 * As `visible`; as code points, too, are blanks that look like a space, marks that look composed and are not, letters of
 * another script that look like Latin ones in a word that has some, and the bracket that begins a code point.
 */
function exact(text: string): string {
  return visible(text.replaceAll('⟨', `⟨${codePointName('⟨')}⟩`))
    .replace(/[\p{L}\p{N}_]+/gu, (word) =>
      /[a-z]/i.test(word) ? word.replace(OTHER_SCRIPT, unmasked) : word,
    )
    .replace(/[^\P{Zs} ]|\u2800/gu, (blank) => `⟨${codePointName(blank)}⟩`)
    .replace(/\P{M}\p{M}+/gu, (cluster) =>
      cluster === cluster.normalize('NFC')
        ? cluster
        : cluster.replace(/\p{M}/gu, (mark) => `⟨${codePointName(mark)}⟩`),
    );
}

/** Of scripts that have letters like Latin ones. */
const OTHER_SCRIPT = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu;

function unmasked(letter: string): string {
  return /^[a-z]/.test(foldLookAlike(letter)) ? `⟨${codePointName(letter)}⟩` : letter;
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
