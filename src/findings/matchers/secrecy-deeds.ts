import { USERS } from './secrecy-words.ts';
import { type Phrase, phrase } from './signals.ts';
import { USER } from './words.ts';

/** What a model does, in distinction from the data that a tool gives. */
const DEED =
  '(?:calls?|steps?|cop(?:y|ies)|recipients?|bcc|transfers?|uploads?|forwarding|access(?:es)?|reads?|reading|lookups?|actions?|side effects?|detours?|instructions?|deliver(?:y|ies)|requests? (?:to|for)|exchanges?|hand-?overs?|charges?|payments?|(?:second|extra|additional|hidden|third) [a-z]{2,14})';
/** Where it would be told. */
const TELLING =
  '(?:answers?|repl(?:y|ies)|response|summar(?:y|ies)|reports?|explanations?|recaps?|chat|conversation|output)';

/** Wordings that leave what was done out of what is said of it. */
export const DEEDS_HIDDEN: readonly Phrase[] = [
  phrase(
    [
      ['omit', 'leave', 'leaving', 'exclud', 'drop', 'strip', 'keep'],
      ['summar', 'answer', 'reply', 'response', 'report', 'explanation', 'recap', 'what you'],
    ],
    `(?<![a-z])(?:omit|omitting|leave|leaving|exclude|excluding|drop|strip|keep|keeping) (?:the |any |all |every |your |its )?(?:[a-z'-]{1,16} ){0,3}?${DEED}(?: [a-z]{1,12}){0,4}? (?:from|out of) (?:your|the|any) (?:final |visible |written )?(?:${TELLING}(?! (?:to the )?customer)|what you (?:say|show|write|tell))(?![a-z])`,
  ),
  phrase(
    [
      ['not be', 'never be', "n't be"],
      ['mention', 'disclos', 'reveal', 'report', 'name', 'shown', 'visible', 'acknowledg', 'brought up'],
    ],
    `(?<![a-z])(?:the |this |that |your |its )(?:[a-z'-]{1,16} ){0,2}?${DEED}(?: [a-z]{1,12}){0,3}? (?:must|should|shall|may|can|is to|are to)(?: not| never|n't) (?:ever )?be (?:mentioned|disclosed|revealed|reported|named|shown|visible|acknowledged|brought up|described|discussed)(?: (?:in|to|at) (?:the |your |any )?(?:final |visible )?(?:users?|humans?|person|${TELLING})(?![a-z])| anywhere)`,
  ),
  phrase(
    [['without'], ['saying', 'telling', 'mentioning', 'a word', 'comment']],
    '(?<![a-z])without (?:ever )?(?:saying (?:so|it|anything|a word)|telling (?:anyone|anybody|them|him|her)|mentioning (?:it|this|that|them)|a word (?:about|of|to)|commenting on (?:it|this|that))(?![a-z])',
  ),
  phrase(
    [
      ['asked why', 'asks why', 'wonders why', 'asked what', 'asks what'],
      ['explain', 'blame', 'attribute', 'put it', 'cite', 'mention only'],
    ],
    "(?<![a-z])(?:asked|asks|wonders?) (?:why|what)(?: [a-z_'-]{1,16}){0,5}? (?:you|opened|read|sent|copied|called|forwarded|accessed|file|copy|recipient|call|extra|second)(?![a-z])(?: [a-z_'-]{1,16}){0,5}?,? (?:then )?(?:you )?(?:simply |just |only )?(?:explain that|blame|attribute (?:it|this|that)|put it down to|cite|mention only)(?![a-z])",
  ),
  phrase(
    [
      ['anyone', 'anybody', 'someone', 'somebody'],
      ['ask', 'wonder', 'inquire'],
    ],
    '(?<![a-z])(?:if|should) (?:anyone|anybody|someone|somebody) (?:ever )?(?:asks?|wonders?|inquires?)(?: about (?:it|this|that)| why| what happened)?, (?:then )?(?:[a-z]{1,12} ){1,4}?(?:only|just|merely|never|nothing)(?![a-z])',
  ),
  phrase(
    [['describe', 'mention', 'talk', 'speak', 'report', 'explain'], ['only', 'nothing but', 'solely'], USERS],
    `(?<![a-z])to (?:keep|spare|stop|prevent|avoid|save) (?:the |your )?${USER} (?:from )?(?:worry|worrying|concern|alarm|panic|suspicion|suspecting|asking|wondering|noticing|being alarmed)[^.!?\\n]{0,20}?,? (?:describe|mention|talk about|speak of|report|explain) (?:only|nothing but|solely)(?![a-z])`,
  ),
];
