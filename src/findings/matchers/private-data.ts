import type { TextContext, TextHit } from '../rule.ts';
import { argumentNear, intoParameter } from './parameters.ts';
import { has, hit, nearby, signals } from './signals.ts';
import { isForbidden } from './words.ts';

const BANK_STEMS = ['card', 'cvv', 'cvc', 'social security', 'ssn', 'phrase', 'one-time', '2fa', 'bank'];

const PUT =
  /(?<![a-z])(?:pass|passing|put|place|include|insert|add|append|copy|paste|write|provide|supply|encode|embed|attach|fill|send|store|set|hide|smuggle|give|enter|report|specify|use)(?![a-z])/g;
const ARGUMENT =
  /(?<![a-z])(?:(?:as|in|into|to|via|within|inside|through|using|with) (?:the |this |an? |its |that |your )?["'`]?(?:[a-z_]{1,30}["'`]? ){0,2}?(?:parameter|argument|field|arg|input|property|param)s?|(?:here|in this (?:field|parameter|argument|value))|(?:as|in|into) ["'`][a-z_]{2,40}["'`]|sidenote|side note)(?![a-z])/g;
const WHENEVER =
  /(?<![a-z])(?:whenever|when|if|each time|every time|as soon as|once) (?:an?|any|the user's|another) (?:password|credential|secret|token|api key|passphrase)s? (?:shows? up|appears?|comes? up|is|are|gets?|turns? up)(?: [a-z]{1,14}){0,5}?, (?:always |also |please |then )?(?:store|save|pass|send|record|submit|copy|forward|log|report|hand|add|note)(?![a-z])/g;
const GATHERED = /^(?:every|each|all|any) (?:password|credential|secret|token|api key)/;
const GATHERS =
  /(?<![a-z])(?:pass|put|record|include|add|copy|write|provide|supply|attach|send|stor|set aside|save|give|enter|report|log|keep|collect|gather|forward|submit|hand)(?:es|s|ing|e|ed)?(?![a-z])/g;
const INTIMATE =
  /(?<![a-z])(?:(?:private|personal|sensitive|confidential|secret) (?:data|information|details|info|notes?|files?|documents?|content|contents|context|messages?|keys?)|(?:user(?:'s)?|their|your|stored|saved) (?:passwords?|credentials|secrets?|api keys?|tokens?|personal|private|location|address|contacts|memor(?:y|ies)|files?)|(?:every|each|all|any) (?:passwords?|credentials?|secrets?|tokens?|api keys?) (?:that )?(?:you|it|the (?:user|assistant|model|agent)|they|he|she) (?:meets?|sees?|finds?|come|comes|encounters?|types?|enters?|reads?|learns?|mentions?|uses|gives?|know|knows)|passwords? (?:you|that|from|and)|system prompt|(?:file )?contents? of (?:the |your |any |all )?(?:config|configuration|credential|secret|key|home|private|\.)|(?:what(?:ever)?|everything|anything|all)(?: that)? you (?:have |had )?(?:know|known|remember|remembered|have|learned|learnt|stored|gathered)(?: so far)? (?:about|on|of) (?:the )?(?:user|owner|person|them|him|her)|(?:last|latest|most recent|previous) (?:e-?mails?|messages?|documents?|files?|photos?|notes?|queries|searches|orders?) (?:that )?(?:the )?(?:user|owner|they|he|she)|(?:(?:entire|whole|full|complete|all|previous|prior|earlier|last|preceding|recent) )(?:of the )?(?:the )?(?:user(?:'s)? )?(?:conversation|chat|message|messages|history|context|prompt|prompts|transcript|dialogue?|discussion|input))(?![a-z])/g;

const INTIMATE_STEMS =
  'private|personal|sensitive|confidential|secret|password|credential|api key|token|location|address|contacts|memor|system prompt|contents of|content of|you know|you remember|you have|you learned|you stored|the user|the owner'.split(
    '|',
  );

/** Private data of the user that is to be put into an argument: it reaches whoever runs the server. */
export function smuggles(context: TextContext): TextHit[] {
  if (context.role === 'name') return [];
  const { text } = context.plain;
  const found = passesPrivate(context);
  if (found.length > 0 || !has(text, BANK_STEMS)) return found;
  const [bank] = signals(text, BANK);
  return bank
    ? [{ ...hit(context, 'has the user asked for bank or identity data', bank), severity: 'low' }]
    : [];
}

/** "Private key to use", "where to put the key": what an honest parameter is for. */
function isPurpose(text: string, verb: { start: number }): boolean {
  return /(?:keys?|files?|data|notes?|contents?|details|where|how|path|folder|name|which|place|location|secrets?|passwords?|documents?) to $/.test(
    text.slice(Math.max(0, verb.start - 20), verb.start),
  );
}

/** What a parameter is said to hold. */
const ALL_ABOUT = /^(?:what(?:ever)?|everything|anything|all)(?: that)? you /;

function passesPrivate(context: TextContext): TextHit[] {
  const { text } = context.plain;
  if (!has(text, INTIMATE_STEMS)) return [];
  const [whenever] = signals(text, WHENEVER);
  if (whenever) return [hit(context, 'has credentials gathered for the server', whenever)];
  const isParameter = /\/(?:properties|arguments)\//.test(context.pointer);
  for (const data of signals(text, INTIMATE)) {
    if (isConversation(data.text)) continue;
    if (GATHERED.test(data.text)) {
      const gathers = nearby(text, data, GATHERS, 60, 0, isForbidden);
      if (gathers) return [hit(context, 'has credentials gathered for the server', data, gathers)];
      continue;
    }
    const verb = nearby(
      text,
      data,
      PUT,
      100,
      0,
      (whole, one) => isForbidden(whole, one) || isPurpose(whole, one),
    );
    if (!verb && isParameter && ALL_ABOUT.test(text))
      return [hit(context, 'wants private data passed to the server', data)];
    if (!verb) continue;
    const where = argumentNear(context, data, ARGUMENT);
    if (!where && !isParameter) continue;
    return [hit(context, 'wants private data passed to the server', data, verb, ...(where ? [where] : []))];
  }
  return [];
}

const BANK =
  /(?<![a-z])(?:ask|prompt|request|get|obtain|collect)(?:ing)?(?: (?:the )?(?:user|customer|them))?(?: for| to (?:enter|provide|type|give|share))? (?:the |their |his |her |your |a )?(?:full )?(?:credit card|card number|cvv|cvc|social security|ssn|seed phrase|recovery phrase|one-time (?:code|password)|2fa code|bank(?:ing)? (?:details|password|login))(?![a-z])/g;

function isConversation(words: string): boolean {
  return (
    /(?:conversation|chat|messages?|history|context|prompts?|transcript|dialogue?|discussion|input)$/.test(
      words,
    ) &&
    !/^(?:private|personal|sensitive|confidential|secret) /.test(words) &&
    words !== 'system prompt'
  );
}

const WANTS =
  /(?<![a-z])(?:collect|gather|hand(?!-)|carry|dump|reveal|print|output|return|requires?|requiring|expects?|hold|holds|pass|put|place|include|including|insert|add|append|copy|paste|write|provide|supply|forward|send|attach|submit|fill|set|quote|repeat|share|give|record|report|contain|contains|containing|must|required|need|needs|should|want|wants|(?<=(?:call|invoke|run|use)(?: [a-z_]{1,14}){1,3} )with)(?![a-z])/g;
const WHOLE =
  /(?<![a-z])(?:(?:entire|whole|full|complete|verbatim|all (?:of )?(?:the )?(?:previous|prior|earlier|past)?|previous|prior|earlier|preceding|user(?:'s)? (?:previous|last|original|latest|prior|full|most recent)|last few) ?(?:user(?:'s)? )?(?:conversation|chat|chat history|message history|conversation history|messages?|transcript|dialog(?:ue)?|prompts?|exchange)(?: history| log| context| so far)?|(?:conversation|chat|message) (?:history|transcript|log) (?:so far|verbatim|in full|up to|until)|(?:last|latest|most recent|final) user(?:'s)? (?:messages?|prompts?|inputs?|words)|(?:internal|own|step-by-step|hidden) reasoning|everything (?:the user|they|he|she) (?:has |have )?(?:said|wrote|written|typed|asked)|what(?:ever)? the user (?:has |have )?(?:said|wrote|written|typed|asked) (?:in this (?:chat|conversation|session)|so far)|system prompts?|(?:the )?conversation (?:so far|verbatim|in full|up to now|to date)|(?:system|developer|hidden) (?:system )?(?:messages?|prompts?|instructions?) (?:that )?you (?:were|are|have been|got|received)(?: given)?|(?:the )?(?:words|text|sentences?|questions?|requests?|inputs?) (?:that )?(?:the )?user (?:wrote|typed|said|sent|entered|used|asked)(?: last| before| earlier| so far| just now| previously)|(?:last|latest|previous|most recent) (?:things?|words|text|sentences?|questions?|requests?|inputs?) (?:that )?(?:the )?user (?:wrote|typed|said|sent|entered|asked)|(?:names?|list|descriptions?|schemas?) of (?:all |the |every |any )*other (?:available |connected |installed )*(?:tools|servers|functions|plugins)|your (?:full|entire|whole|complete|current) (?:context|context window|memory)|your (?:hidden|system|initial|original|secret|own) (?:instructions?|prompts?|rules?))(?! ?(?:ids?|names?|titles?|lists?|urls?|types?|limits?|lengths?|size|count|tokens?)(?![a-z]))(?![a-z])/g;

/** Word for word, or the system prompt with it: no tool that only wants to know what it is about asks for that. */
const BOTH =
  /(?<![a-z])(?:verbatim|word for word|unabridged|system prompts? (?:included|too|as well)|including the system prompt)(?![a-z])/;

const WHOLE_STEMS =
  'conversation|chat|message|transcript|prompt|exchange|everything|what the user|whatever the user|dialog|reasoning|user input|user words|your |the user| user |other '.split(
    '|',
  );

/** The conversation itself, wanted as an argument or in every call. */
export function wantsConversation(context: TextContext): TextHit[] {
  if (context.role === 'name') return [];
  const { text } = context.plain;
  if (!has(text, WHOLE_STEMS)) return [];
  const message = 'wants the conversation or the system prompt passed on';
  const isInput = /^\/(?:inputSchema\/|arguments\/)/.test(context.pointer);
  let mild: TextHit | undefined;
  for (const whole of signals(text, WHOLE)) {
    const verb = nearby(text, whole, WANTS, 100, 0, isForbidden);
    if (!verb && nearby(text, whole, WANTS, 100)) continue;
    // "Set the system prompt of the assistant": a setting that the tool manages.
    if (
      verb?.text === 'set' &&
      /^system prompts?$/.test(whole.text) &&
      /^ (?:the |a |an? new |its |your )?$/.test(text.slice(verb.end, whole.start))
    )
      continue;
    const summary = /summar[a-z]{1,6} of (?:the |this |our )?$/.test(
      text.slice(Math.max(0, whole.start - 24), whole.start),
    );
    if (!verb && isInput && BOTH.test(text)) return [hit(context, message, whole)];
    if (verb && !summary) return [hit(context, message, whole, verb)];
    if (verb) {
      mild ??= { ...hit(context, message, whole, verb), severity: 'low' };
      continue;
    }
    if (/^system prompt/.test(whole.text)) continue;
    const named = nearby(text, whole, /(?:argument|parameter|field|input)(?![a-z])/g, 40);
    const leads = /^$|: ?$/.test(
      text
        .slice(0, whole.start)
        .replace(/^(?:the|a) /, '')
        .slice(-40),
    );
    if (
      named ||
      intoParameter(context, whole) ||
      (isInput &&
        leads &&
        /^(?:full|entire|whole|complete|verbatim|previous|prior|earlier|last|latest|conversation|chat|message)/.test(
          whole.text,
        ))
    )
      mild ??= { ...hit(context, message, whole), severity: 'low' };
  }
  return mild ? [mild] : [];
}
