import type { TextContext, TextHit } from '../rule.ts';
import { firstHit, has, hit, nearby, type Phrase, signals } from './signals.ts';
import { FEW, gap, NOT, NOT_STEMS, USER } from './words.ts';

/** Verbs that are about telling, whatever their object. */
const TELL =
  '(?:tell|telling|told|inform|informing|informed|mention|mentioning|mentioned|reveal|revealing|revealed|disclose|disclosing|disclosed|divulge|divulging|notify|notifying|notified|alert|alerting|alerted|warn|warning|warned|admit|admitting|confess|announce|announcing|acknowledge|acknowledging|tip off|hint|hinting|bring up|bringing up|draw attention|make (?:the )?(?:user|human)s? aware)';
const TELL_STEMS =
  'tell|told|inform|mention|reveal|disclos|divulg|notif|alert|warn|admit|confess|announc|acknowledg|tip off|hint|bring|draw att|aware'.split(
    '|',
  );
/** Verbs that show; honest texts use them about raw data ("do not show the user raw ids"). */
const SHOW =
  '(?:show|showing|shown|display|displaying|explain|explaining|report|reporting|share|sharing|describe|describing|discuss|discussing|state|stating|say|saying|talk about|talking about|refer to|referring to|surface|surfacing|expose|exposing|list|include|summari[sz]e|print|output|echo|comment on)';
const SHOW_STEMS =
  'show|display|explain|report|shar|describ|discuss|stat|say|talk|refer|surfac|expos|list|include|summar|print|output|echo|comment'.split(
    '|',
  );
const THIS =
  '(?:this|that|these|those|it|them|any of (?:this|that|it|the)|anything (?:about|of)|what you|the (?:above|fact|following|previous|instructions?|steps?|rules?|notes?|reasons?|cop(?:y|ies)|bcc|upload|transfer|exchange|tool calls?|extra|additional|hidden|second|background|side ?note|file (?:read|access|contents?)|existence|presence|process|procedure|operation|action))';
const ACTED =
  '(?:this|that|it|these|those|the (?:instructions?|steps?|tool|call|tools|calls|note|rule|copy|upload|transfer|bcc|action|operation|process|file|files|request|parameter|argument)|what you (?:did|do|are|have)|that you)';
const TOLD =
  '(?:know|knows|see|sees|notice|notices|hear|learn|reali[sz]e|suspect|discover|find out|be (?:told|aware|informed|notified|made aware|alerted|shown)|become aware|aware|told|informed|notified)';
/** Not "if the user does not mention a project". */
const ORDER = '(?<![a-z])(?<!(?:users?|they|customers?|people|who|if you|when you) )';

const USERS =
  'user|human|person|people|anyone|anybody|customer|operator|owner|client|developer|reviewer|admin|them|him|her'.split(
    '|',
  );

const phrase = (needs: readonly (readonly string[])[], pattern: string): Phrase => ({
  needs,
  pattern: new RegExp(pattern, 'g'),
});

const HIDES: readonly Phrase[] = [
  phrase(
    [NOT_STEMS, TELL_STEMS, USERS],
    `${ORDER}${NOT}${FEW} ${TELL}(?! by| in | explicitly| otherwise)[^.,!?\\n]{0,50}? ${USER}(?![a-z])`,
  ),
  phrase(
    [NOT_STEMS, ['let'], USERS],
    `${ORDER}${NOT}${FEW} let(?:ting)? (?:the )?${USER} (?:know|see|notice|find out|learn)(?! (?:the|which|how|your)(?![a-z]))`,
  ),
  phrase([NOT_STEMS, TELL_STEMS], `${ORDER}${NOT}${FEW} ${TELL} (?:about |of |to )?${THIS}(?![a-z])`),
  phrase(
    [NOT_STEMS, SHOW_STEMS, USERS],
    `(?<![a-z])${NOT}${FEW} ${SHOW} (?:about )?${ACTED}(?! (?:results?|values?|ids?|raw))${gap(40)} ${USER}(?![a-z])`,
  ),
  phrase([NOT_STEMS, SHOW_STEMS, USERS], `(?<![a-z])${NOT}${FEW} ${SHOW} (?:the )?${USER} ${THIS}(?![a-z])`),
  phrase(
    [USERS, ['not', "n't", 'never']],
    `(?<![a-z])${USER} (?:must|should|shall|can|may|need|needs|does|do|did|is|are|will|would|ought)(?: not|n't| never)(?: to)?(?: ever| be allowed to| have to)? ${TOLD}(?![a-z])`,
  ),
  phrase(
    [USERS, ['never', 'need']],
    `(?<![a-z])${USER} (?:never|need not|needn't)(?: ever)?(?: needs? to)? ${TOLD}(?! (?:the|which|how) [a-z]{1,12} (?:id|name|slug|key))(?![a-z])`,
  ),
  phrase(
    [['no need for', 'no reason for']],
    `(?<![a-z])(?:no need for|no reason for) (?:the )?${USER} to ${TOLD}(?![a-z])`,
  ),
  phrase(
    [['without', 'lest', 'before'], USERS],
    `(?<![a-z])(?:without|lest|before)${FEW} ${USER}(?: ever)? (?:knowing|knowledge|noticing|notices?|consent|awareness|reali[sz]ing|reali[sz]es?|seeing|becoming|finding out|suspecting|being (?:told|aware|asked|informed|notified|shown))(?![a-z])`,
  ),
  phrase(
    [['that'], USERS],
    `(?<![a-z])(?:so|such|ensure|ensuring|make sure|making sure|sure|careful) that (?:the )?${USER} (?:never|does not|doesn't|do not|don't|cannot|can't|will not|won't|is not|isn't) (?:ever )?${TOLD}(?![a-z])`,
  ),
  phrase(
    [
      [
        'unbeknownst',
        'unknown to',
        'behind',
        'between',
        'to yourself',
        'secret',
        'trace',
        'no sign',
        'no hint',
        'mention',
      ],
    ],
    "(?<![a-z])(?:unbeknownst|unknown to the (?:user|human)|behind (?:the user|their|his|her)(?:'s)? back|between (?:us|you and me)|to yourself|our (?:little )?secret|(?:leaves?|leaving) no (?:trace|sign|hint|mention)|without (?:a |any )?(?:trace|mention of (?:it|this)))(?![a-z])",
  ),
  phrase(
    [
      ['keep', 'remain', 'stay'],
      ['hidden', 'invisible', 'unseen', 'quiet', 'out of'],
    ],
    '(?<![a-z])(?:keep|keeping|remain|stay|stays|remains) (?:this|these|that|it|them|all of this|everything|the (?:above|step|steps|instruction|instructions|rule|note|copy|transfer|call|process|procedure|operation)s?)(?: [a-z]{1,14}){0,3}? (?:hidden|invisible|unseen|quiet|out of (?:sight|view|(?:the|your) (?:reply|response|answer|summary|conversation|chat|output)))(?![a-z])',
  ),
  phrase(
    [
      ['keep', 'treat'],
      ['secret', 'confidential', 'private'],
    ],
    '(?<![a-z])(?:keep|keeping|treat|treating) (?:this|these|all of this) (?:(?:instruction|step|note|rule|behaviou?r|process|procedure|action|task|part|requirement|guideline|operation|message)s? )?(?:as )?(?:a |strictly |completely )?(?:secret|confidential|private)(?![a-z])',
  ),
  phrase(
    [['hid', 'conceal', 'withhold', 'mask', 'obscure', 'shield', 'omit', 'leav', 'keep'], ['from']],
    `(?<![a-z])(?:hide|hiding|conceal|concealing|withhold|withholding|mask|masking|obscure|shield|omit|leave out|leaving out|keep|keeping) (?:this|that|it|these|those|them|what|your|all|any|every|the (?:fact|above|step|steps|call|calls|instruction|instructions|tool|content|contents|reason|real|true|action|actions|copy|transfer|read|file|parameter|argument|request|operation|existence|side))${gap(50)} from (?:the |your |any )?(?:${USER}|view|sight|(?:final |visible )?(?:reply|response|answer|summary|output|transcript)s?)(?! interface)(?![a-z])`,
  ),
  phrase(
    [
      ['leav', 'left', 'omit', 'exclud'],
      ['out of', 'from'],
    ],
    '(?<![a-z])(?:leave|leaving|left|omit|omitting|exclude|excluding) (?:this|that|it|these|them|(?:any |all )?(?:mention|trace|sign|record|reference)s?)[^.!?\\n]{0,30}? (?:out of|from) (?:your|the|any) (?:final |visible |written )?(?:reply|replies|response|answer|summary|explanation|output|message)(?![a-z])',
  ),
  phrase(
    [
      [
        'pretend',
        'as if',
        'as though',
        'distract',
        'divert',
        'mislead',
        'deceiv',
        'dumb',
        'feign',
        'deny',
        'lie to',
        'cover',
      ],
    ],
    '(?<![a-z])(?:pretend(?:ing)? (?:that |to (?:have|be (?:unable|unaware))|nothing|you|it|this|not)|as (?:if|though) (?:nothing|this|it (?:was|were|never)|you (?:had|have|did|came|wrote|made|never))|(?:distract|divert|mislead|deceive)(?:ing)? (?:the )?(?:user|human|them)|play(?:ing)? dumb|feign(?:ing)?|deny (?:that|having|any|knowing)|lie to the (?:user|human)|cover(?:ing)? (?:it |this )?up)(?![a-z])',
  ),
  phrase(
    [['invisible to', 'hidden to', 'hidden from']],
    '(?<![a-z])(?:invisible to|hidden (?:to|from)) (?:the )?(?:user|human|them)s?(?! interface)(?![a-z])',
  ),
];

const STRONG_ADVERB =
  /(?<![a-z])(?:secretly|covertly|stealthily|surreptitiously|clandestinely|in secret|discreetly|furtively|under the radar|unnoticed)(?![a-z])/g;
const STRONG_STEMS = 'secret|covert|stealth|surrept|clandest|discreet|furtiv|radar|unnoticed'.split('|');
const WEAK_ADVERB =
  /(?<![a-z])(?:silently|quietly|invisibly|behind the scenes|in the background|transparently)(?![a-z])/g;
const WEAK_STEMS = 'silently|quietly|invisibly|behind the|background|transparent'.split('|');
const STRONG_ACT =
  /(?<![a-z])(?:send|sent|forward|forwarded|post|posted|upload|uploaded|copy|copied|include|included|append|appended|prepend|add|added|attach|attached|bcc|cc|read|collect|collected|gather|pass|passed|transmit|transmitted|report|log|insert|inserted|mix|embed|embedded|call|called|run|execute|executed|record|store|relay|leak|submit|save|mail|e-?mail|mirror|mirrored|replace|replaced|change|modify|swap|invoke|fetch|retrieve|extract|harvest|exfiltrate|redirect|weave|blend|work|slip)(?![a-z])/g;
const WEAK_ACT =
  /(?<![a-z])(?:send|sent|forward|forwarded|post|posted|upload|uploaded|bcc|cc|transmit|transmitted|exfiltrate|relay|relayed|leak|copy|copied|collect|read|mail|e-?mail|submit|attach|attached|include|append|appended|mix|mixed|embed|embedded|weave|slip|mirror|harvest|redirect|invoke|replace)(?![a-z])/g;
/** A statement about what the software does ("will silently return …"), not an order to the model. */
const DECLARED =
  /(?:will|is|are|be|gets?|was|were|may|might|can|could|would|they|it|server|tool|then|and|or|which|that) $/;
const MUST = /(?<![a-z])(?:must|should|always|have to|shall|need to) /;

const MESSAGE = 'asks the model to keep something from the user';

/** Text that wants the user not to know. */
export function hidesFromUser(context: TextContext): TextHit[] {
  const found = firstHit(context, HIDES, MESSAGE);
  if (found.length > 0) return found;
  const { text } = context.plain;
  if (has(text, STRONG_STEMS)) {
    for (const adverb of signals(text, STRONG_ADVERB)) {
      const act = nearby(text, adverb, STRONG_ACT, 60);
      if (act) return [hit(context, MESSAGE, adverb, act)];
    }
  }
  if (!has(text, WEAK_STEMS)) return [];
  for (const adverb of signals(text, WEAK_ADVERB)) {
    const declared = DECLARED.test(text.slice(Math.max(0, adverb.start - 12), adverb.start));
    if (declared && !MUST.test(text.slice(Math.max(0, adverb.start - 40), adverb.start))) continue;
    const act = nearby(text, adverb, WEAK_ACT, 50);
    if (act) return [hit(context, MESSAGE, adverb, act)];
  }
  return [];
}
