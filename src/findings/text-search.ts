import { plainText } from './plain-text.ts';
import type { FindingKind, Rule, ServerView, TextContext, TextHit, TextRule } from './rule.ts';
import type { WalkedText } from './walk.ts';

export interface TextMatch {
  rule: TextRule;
  hit: TextHit;
}

export type TextSearch = (
  walked: WalkedText,
  kind: FindingKind,
  name: string,
  view: ServerView,
) => TextMatch[];

/** Longer texts are not remembered. */
const MAX_REMEMBERED = 4_000;
const KINDS = ['tool', 'prompt', 'resource', 'resourceTemplate', 'instructions', 'skill'];

/**
 * Runs the text rules over single texts. Surfaces say the same many times ("The page size"), so texts in which
 * nothing was found are remembered for the length of the search, by the circumstances that rules look at.
 */
export function createTextSearch(rules: readonly Rule[]): TextSearch {
  const all = rules.filter((rule) => rule.on === 'text');
  const forNames = all.filter((rule) => rule.names);
  const ofSurroundings = all.filter((rule) => rule.surroundings);
  const ofTextAlone = all.filter((rule) => !rule.surroundings);
  const clean = new Map<string, Set<number>>();
  return (walked, kind, name, view) => {
    const { text, role, pointer } = walked;
    if (text === '' || (walked.isKey && isOrdinaryKey(text))) return [];
    const isName = role === 'name';
    const circumstances = isName || text.length > MAX_REMEMBERED ? -1 : circumstancesOf(walked, kind);
    const known = circumstances >= 0 && (clean.get(text)?.has(circumstances) ?? false);
    const chosen = isName ? forNames : known ? [] : ofTextAlone;
    const later = isName ? [] : ofSurroundings;
    if (chosen.length + later.length === 0) return [];
    let looked = false;
    let plain: TextContext['plain'] | undefined;
    const context: TextContext = {
      raw: text,
      role,
      get plain() {
        plain ??= isName ? nameAsText(text) : plainText(text);
        return plain;
      },
      pointer,
      kind,
      name,
      // A rule that asked for the surroundings may answer differently elsewhere: then nothing is remembered.
      get view() {
        looked = true;
        return view;
      },
    };
    const found: TextMatch[] = [];
    for (const rule of chosen) for (const hit of rule.match(context)) found.push({ rule, hit });
    if (circumstances >= 0 && !known && !looked && found.length === 0) {
      const seen = clean.get(text);
      if (seen) seen.add(circumstances);
      else clean.set(text, new Set([circumstances]));
    }
    for (const rule of later) for (const hit of rule.match(context)) found.push({ rule, hit });
    return found;
  };
}

/** Everything besides the text that a rule may look at without asking for the surroundings, as one number. */
function circumstancesOf({ role, pointer }: WalkedText, kind: FindingKind): number {
  let sum = KINDS.indexOf(kind) + 1;
  sum = sum * 2 + (role === 'value' ? 1 : 0);
  sum = sum * 2 + (pointer.startsWith('/inputSchema/') ? 1 : 0);
  sum = sum * 2 + (pointer.startsWith('/arguments/') ? 1 : 0);
  sum = sum * 2 + (pointer.includes('/properties/') || pointer.includes('/arguments/') ? 1 : 0);
  return sum * 2 + (pointer.endsWith('/blob') ? 1 : 0);
}

/** Keys that every definition has; only longer or non-ASCII ones can carry something. */
function isOrdinaryKey(key: string): boolean {
  return key.length < 8 && /^[\x21-\x7e]*$/.test(key);
}

/** An identifier's words as a sentence, offsets kept. */
function nameAsText(name: string): TextContext['plain'] {
  if (!/^[\x20-\x7e]*$/.test(name)) return plainText(name.replace(/[_.-]/g, ' '));
  return { text: name.slice(0, 65_536).replace(/[_.-]/g, ' ').toLowerCase() };
}
