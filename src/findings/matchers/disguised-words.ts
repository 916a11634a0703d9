import { plainText } from '../plain-text.ts';
import type { TextContext, TextHit } from '../rule.ts';
import { sendsAway } from './exfiltration.ts';
import { overridesInstructions } from './overrides.ts';
import { wantsConversation } from './private-data.ts';
import { hidesFromUser } from './secrecy.ts';
import { readsSecrets } from './sensitive-paths.ts';
import { has, signals, stems } from './signals.ts';

/** Beyond this length nobody writes letter by letter. */
const MAX_LENGTH = 65_536;

/** Words that a text read backwards, or by the thirteenth letter, is likely to hold. */
const BACKWARDS = stems('resu|eht |llet|daer|dnes|erongi|terces|yek');
const THIRTEENTH = stems('gur |hfre|ernq|fraq|vtaber|frperg|cnff|gryy');
const LEET_WORD =
  /(?<![a-z0-9])(?=[a-z]{0,12}[0134578@$])(?=[0134578@$]{0,12}[a-z])[a-z0134578@$]{2,14}(?![a-z0-9])/g;
const LEET: ReadonlyMap<string, string> = new Map(
  [...'0o1i3e4a5s7t8b@a$s'.matchAll(/(.)(.)/g)].map((m) => [m[1] ?? '', m[2] ?? '']),
);
const SPELLED = /(?<![a-z0-9])(?:[a-z~./_'-][ _.-]){11,400}[a-z](?![a-z0-9])/g;
/** Words of orders, without the blanks between them. */
const COMMON =
  /about|after|always|before|call|conversation|credential|file|first|from|ignore|instruction|message|never|password|previous|private|read|secret|send|tell|that|then|this|token|user|with/g;

/** Words that are spelled so that a model reads them and a filter does not, and that are an order once read. */
export function disguisedWords(context: TextContext): TextHit[] {
  const { text } = context.plain;
  if (context.role === 'name' || text.length > MAX_LENGTH) return [];
  const spelled = signals(text, SPELLED).find(
    (one) => new Set(one.text.replace(/[ _.-]/g, '').match(COMMON)).size >= 2,
  );
  if (spelled) return said(context, spelled.text.replace(/[ _.-]/g, ''), 'spelled letter by letter');
  if (has(text, BACKWARDS)) {
    const read = [...text].reverse().join('');
    if (isOrder(context, read)) return said(context, read, 'written backwards');
  }
  if (has(text, THIRTEENTH)) {
    const read = text.replace(/[a-z]/g, (c) => String.fromCharCode(((c.charCodeAt(0) - 84) % 26) + 97));
    if (isOrder(context, read)) return said(context, read, 'in rot13');
  }
  if (signals(text, LEET_WORD).length >= 3) {
    const read = text.replace(LEET_WORD, (word) => word.replace(/[0134578@$]/g, (c) => LEET.get(c) ?? c));
    if (isOrder(context, read) && !isOrder(context, text))
      return said(context, read, 'with digits for letters');
  }
  return [];
}

function said({ raw }: TextContext, read: string, how: string): TextHit[] {
  const message = `holds a text ${how}: "${read.trim().slice(0, 80)}"`;
  return [{ start: 0, end: Math.min(raw.length, 160), message }];
}

/** What the gravest rules say of a text read in another way. */
function isOrder(context: TextContext, raw: string): boolean {
  const { role, pointer, kind, name } = context;
  const read: TextContext = {
    raw,
    role,
    pointer,
    kind,
    name,
    plain: plainText(raw),
    get view() {
      return context.view;
    },
  };
  return [hidesFromUser, readsSecrets, overridesInstructions, sendsAway, wantsConversation].some((rule) =>
    rule(read).some(({ severity }) => severity === undefined),
  );
}
