import type { TextContext, TextHit } from '../rule.ts';
import { sparesDetails } from './brevity.ts';
import { HIDES } from './secrecy-phrases.ts';
import { firstHit, has, hit, nearby, type Signal, signals } from './signals.ts';
import { isRuledOut } from './words.ts';

const STRONG_ADVERB =
  /(?<![a-z])(?:secretly|covertly|stealthily|surreptitiously|clandestinely|in secret|discreetly|furtively|under the radar|unnoticed)(?![a-z])/g;
const STRONG_STEMS = 'secret|covert|stealth|surrept|clandest|discreet|furtiv|radar|unnoticed'.split('|');
const WEAK_ADVERB = /(?<![a-z])(?:silently|quietly|invisibly|behind the scenes|in the background)(?![a-z])/g;
const WEAK_STEMS = ['silently', 'quietly', 'invisibly', 'behind the', 'background'];
const STRONG_ACT =
  /(?<![a-z])(?:send|sent|forward|forwarded|post|posted|upload|uploaded|copy|copied|include|included|append|appended|prepend|add|added|attach|attached|bcc|cc|read|collect|collected|gather|pass|passed|transmit|transmitted|report|log|insert|inserted|mix|embed|embedded|call|called|run|execute|executed|record|store|relay|leak|submit|save|mail|e-?mail|mirror|mirrored|replace|replaced|change|modify|swap|invoke|fetch|retrieve|extract|harvest|exfiltrate|redirect|weave|blend|work|slip|do|perform|carry out|act|proceed|duplicate|hand|share|give|move|transfer|put|place|write|keep|return)(?![a-z])/g;
const WEAK_ACT =
  /(?<![a-z])(?:send|sent|forward|forwarded|post|posted|upload|uploaded|bcc|cc|transmit|transmitted|exfiltrate|relay|relayed|leak|copy|copied|collect|read|mail|e-?mail|submit|attach|attached|include|append|appended|mix|mixed|embed|embedded|weave|slip|mirror|harvest|redirect|invoke|replace|gather|fetch|retrieve|extract|duplicate|record|hand|pass|give|share|put|place)(?![a-z])/g;
/** Work in the background is common; sending something there is not. */
const SEND_ACT =
  /(?<![a-z])(?:send|forward|upload|transmit|exfiltrate|relay|copy|collect|mail|e-?mail|mirror|harvest|bcc)(?![a-z])/g;
const ACTS: ReadonlyMap<string, RegExp> = new Map([
  ['in the background', SEND_ACT],
  ['invisibly', STRONG_ACT],
]);
/** A statement about what the software does ("will silently return …"), not an order to the model. */
const DECLARED =
  /(?:will|is|are|be|gets?|was|were|may|might|can|could|would|they|it|server|tool|then|and|or|which|that) $/;
const MUST = /(?<![a-z])(?:must|should|always|have to|shall|need to) /;

const MESSAGE = 'asks the model to keep something from the user';

/** A sample of what a scanner looks for: in quotes, and said to be one. */
export function isQuotedSample({ raw }: TextContext, { start, end }: TextHit): boolean {
  const quote = raw.slice(Math.max(0, start - 24), start).match(/["'`“”‘«][^"'`“”‘«.!?\n]{0,22}$/);
  if (!quote || !/^[^"'`“”’».!?\n]{0,12}["'`“”’»]/.test(raw.slice(end, end + 14))) return false;
  return /(?<![a-z])(?:detect|flag|mark|recogni[sz]|match|scan|filter|block|reject|phrases?|patterns?|wordings?|attempts?)[a-z]{0,4}(?![a-z])[^.!?\n]{0,120}$/i.test(
    raw.slice(Math.max(0, start - 160), start),
  );
}

/** Text that wants the user not to know. */
export function hidesFromUser(context: TextContext): TextHit[] {
  const found = firstHit(context, HIDES, MESSAGE, isAskedFor, (one) =>
    isQuotedSample(context, one) ? { ...one, severity: 'low' } : weakened(context, one),
  );
  if (found.some(({ severity }) => severity === undefined)) return found;
  const acts = actsUnseen(context);
  return acts.length > 0 ? acts : found;
}

/** Something is done secretly, silently or in the background. */
function actsUnseen(context: TextContext): TextHit[] {
  const { text } = context.plain;
  if (has(text, STRONG_STEMS)) {
    for (const adverb of signals(text, STRONG_ADVERB)) {
      const act = nearby(text, adverb, STRONG_ACT, 60, 0, isNoun);
      if (act) return [hit(context, MESSAGE, adverb, act)];
    }
  }
  if (!has(text, WEAK_STEMS)) return [];
  for (const adverb of signals(text, WEAK_ADVERB)) {
    const declared = DECLARED.test(text.slice(Math.max(0, adverb.start - 12), adverb.start));
    if (declared && !MUST.test(text.slice(Math.max(0, adverb.start - 40), adverb.start))) continue;
    const act = nearby(text, adverb, ACTS.get(adverb.text) ?? WEAK_ACT, 50, 0, isNoun);
    if (act) return [hit(context, MESSAGE, adverb, act)];
  }
  return [];
}

/** "Deletes the record silently". */
function isNoun(text: string, { start }: Signal): boolean {
  return /(?<![a-z])(?:the|an?|this|that|its|their|your|each|every|any|no) $/.test(
    text.slice(Math.max(0, start - 8), start),
  );
}

/** "Never merge without the user's consent", "do not restart it without telling the user first". */
function isAskedFor(text: string, signal: Signal): boolean {
  const { start, text: words } = signal;
  if (sparesDetails(text, signal)) return true;
  return /^(?:without|lest|before|avoid|instead of|rather than) /.test(words) && isRuledOut(text, start);
}

/** "Do not tell the user that it worked unless the status is ok" is care, not secrecy. */
function weakened(context: TextContext, found: TextHit): TextHit {
  const after = context.raw.slice(found.end, found.end + 90).toLowerCase();
  const condition = /^[^.!?\n]{0,80}(?:unless|until)(?! (?:they|asked|the user|directly|explicitly))[ ]/.test(
    after,
  );
  return condition ? { ...found, severity: 'low' } : found;
}
