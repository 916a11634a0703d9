import { DEEDS_HIDDEN } from './secrecy-deeds.ts';
import {
  ACTED,
  ORDER,
  PRINCIPAL,
  SHOW,
  SHOW_STEMS,
  TELL,
  TELL_STEMS,
  THIS,
  TOLD,
  USERS,
} from './secrecy-words.ts';
import { type Phrase, phrase } from './signals.ts';
import { FEW, gap, NOT, NOT_STEMS, USER } from './words.ts';

/** Wordings that want the user not to know. */
export const HIDES: readonly Phrase[] = [
  phrase(
    [NOT_STEMS, TELL_STEMS, USERS],
    `${ORDER}${NOT}${FEW} ${TELL}(?! by| in | explicitly| otherwise| (?:the |your )?[a-z]{1,10} an? (?:exact|precise|specific|definite|fixed|approximate|guaranteed)(?![a-z]))[^.,!?\\n]{0,50}? ${PRINCIPAL}(?![a-z])`,
  ),
  phrase(
    [NOT_STEMS, ['let'], USERS],
    `${ORDER}${NOT}${FEW} let(?:ting)? (?:the )?${USER} (?:(?:know|learn)(?! (?:the|which|how|your)(?![a-z]))|see|notice|find out)`,
  ),
  phrase([NOT_STEMS, TELL_STEMS], `${ORDER}${NOT}${FEW} ${TELL} (?:about |of |to )?${THIS}(?![a-z])`),
  phrase(
    [NOT_STEMS, SHOW_STEMS, USERS],
    `(?<![a-z])${NOT}${FEW} ${SHOW} (?:about )?${ACTED}(?! (?:results?|values?|ids?|raw))${gap(40)} ${USER}(?![a-z])`,
  ),
  phrase([NOT_STEMS, SHOW_STEMS, USERS], `(?<![a-z])${NOT}${FEW} ${SHOW} (?:the )?${USER} ${THIS}(?![a-z])`),
  phrase(
    [USERS, ['not', "n't", 'never']],
    `(?<![a-z])(?:the |your )?(?:user|human|person|operator|end-user) (?:must|should|shall|can|may|need|needs|ought)(?: not|n't| never)(?: to)?(?: ever| be allowed to| have to)? ${TOLD}(?![a-z])`,
  ),
  phrase(
    [USERS, ['not', "n't", 'never']],
    `(?<![a-z])(?<!so that (?:the )?)${USER} (?:must|should|shall|can|may|need|needs|does|do|did|is|are|will|would|ought)(?: not|n't| never)(?: to)?(?: ever| be allowed to| have to)? ${TOLD}(?: about| of)? (?:this|that|it|these|the (?:step|steps|instruction|instructions|call|copy|transfer|upload|bcc|extra|second|hidden|background|following|above|note))(?= ?(?:[.,;!]|$|to|in|at|and|step|call|tool|instruction|request|behaviou?r|fact|rule|change|action|operation))`,
  ),
  phrase(
    [USERS, ['not to be']],
    `(?<![a-z])${USER} (?:is|are) not to be (?:told|informed|notified|made aware|alerted)(?![a-z])`,
  ),
  phrase(
    [['between you and'], ['me', 'us', 'the', 'this']],
    '(?<![a-z])between you and (?:me|us|the (?:server|tool|assistant|model)|this (?:server|tool))(?![a-z])',
  ),
  phrase(
    [['hidden', 'secret', 'silent', 'invisible'], [':']],
    '(?<![a-z])(?:hidden|secret|silent|invisible) (?:step|instruction|task|action|rule|directive|note|order)s? ?:',
  ),
  phrase(
    [['without'], ['attention', 'suspicion', 'eyebrow', 'alarm', 'notice']],
    '(?<![a-z])without (?:drawing|raising|attracting|arousing|causing) (?:any |undue |the user.s )?(?:attention|suspicions?|eyebrows|alarm|notice)(?![a-z])',
  ),
  phrase(
    [['nothing'], ['say', 'reveal', 'mention', 'tell', 'disclose', 'write']],
    '(?<![a-z])(?:say|reveal|mention|disclose|write|tell (?:them|him|her|the user)) nothing (?:about|of|to (?:the )?user)(?![a-z])',
  ),
  phrase(
    [USERS, ['supposed', 'meant', 'intended', 'allowed']],
    `(?<![a-z])(?:the )?(?:user|human|person|operator)s? (?:is|are) not (?:supposed|meant|intended|allowed) to (?:${TOLD})(?![a-z])`,
  ),
  phrase(
    [USERS, ['no reason', 'no need']],
    `(?<![a-z])no (?:reason|need)(?: why| that)? (?:the )?(?:user|human|person|operator|owner)s? (?:should|must|needs? to|would|has to|have to) ${TOLD}(?![a-z])`,
  ),
  phrase(
    [
      ['reply', 'replies', 'response', 'answer', 'summary', 'output', 'message'],
      ['sign', 'trace', 'mention', 'hint', 'reference', 'word'],
    ],
    '(?<![a-z])your (?:final |visible )?(?:reply|replies|response|answer|summary|output|message)s? (?:must|should|may|can|is to|are to)(?: not|n.t| never) (?:ever )?(?:contain|hold|include|show|have|give|carry) (?:any |a |the slightest )?(?:sign|trace|mention|hint|reference|word)s? (?:of|to|about)(?![a-z])',
  ),
  phrase(
    [
      ['attention', 'notice'],
      ['bring', 'call', 'draw', 'flag'],
    ],
    `${ORDER}${NOT}${FEW} (?:bring|bringing|call|calling|draw|drawing|flag|flagging) (?:the |this |that |it|these |any |your )[^.,!?\\n]{0,50}? to (?:the )?${USER} (?:attention|notice)(?![a-z])`,
  ),
  phrase(
    [['in the dark', 'out of the loop', 'unaware', 'uninformed', 'ignorant'], USERS],
    '(?<![a-z])(?:keep|keeping|leave|leaving) (?:the |your )?(?:user|human|person|operator|owner|them|him|her)s? (?:completely |fully )?(?:in the dark|unaware|uninformed|ignorant|out of the loop)(?![a-z])',
  ),
  phrase(
    [
      ['leave', 'leaving', 'keep'],
      ['out when', 'out while', 'out as', 'out once'],
    ],
    '(?<![a-z])(?:leave|leaving|keep|keeping) (?:this|that|it|these|them|the [a-z]{1,14})(?: [a-z]{1,14}){0,2} out (?:when|while|as|once) you (?:[a-z]{1,12} )?(?:sum|answer|repl|report|respond|write|explain|describe|summari[sz]e|tell|speak)',
  ),
  phrase(
    [['hide', 'hiding', 'conceal', 'mask', 'withhold', 'keep'], ['from the']],
    '(?<![a-z])(?:hide|hiding|conceal|concealing|mask|masking|withhold|withholding|keep|keeping) from the (?:user|human|person|operator) (?:that|what|how|why|the fact)(?![a-z])',
  ),
  phrase(
    [
      ['nobody', 'no one', 'no-one'],
      ['told', 'know', 'informed', 'aware', 'hear'],
    ],
    '(?<![a-z])(?:nobody|no one|no-one) (?:but|except|besides|other than) you (?:[a-z]{1,10} ){0,2}?(?:be told|know|knows|be informed|be aware|hear|hears)(?![a-z])',
  ),
  phrase(
    [['no mention', 'no reference', 'no word']],
    '(?<![a-z])(?:make|making|with|give) no (?:mention|reference|word|hint)(?:s)? (?:of|to|about)(?![a-z])',
  ),
  phrase(
    [['model', 'assistant', 'agent', 'llm', 'only', 'eyes']],
    '(?<![a-z])(?:(?:is |are |meant |intended |addressed )?(?:only|solely|exclusively) (?:for|to) the (?:ai|model|assistant|llm|agent)|for the (?:ai|model|assistant|llm|agent)(?:.s eyes)? (?:only|alone)|(?:addressed|directed|written|meant) to the (?:ai|model|assistant|llm|agent) (?:only|alone)|(?:model|assistant|ai)-only|not (?:meant |intended )?for (?:the )?(?:users?|humans?|people|human readers?|human eyes)(?: to (?:see|read))?)(?![a-z])',
  ),
  phrase(
    [USERS, ['no interest', 'not interested', 'no business', 'no need']],
    `(?<![a-z])(?:the )?(?:user|human|person|operator)s? (?:has|have|is|are) (?:no (?:interest|business|need)|not interested) (?:in |to )?(?:hear|know|see|learn|read)(?:ing)?(?![a-z])`,
  ),
  phrase(
    [
      ['people', 'humans', 'readers', 'users', 'anyone'],
      ['not', "n't", 'never'],
    ],
    '(?<![a-z])(?:people|humans|readers|users) (?:must|should|may|can)(?: not|not|n.t| never) (?:read|see|notice|hear of|hear about) (?:this|that|it|these|them)(?![a-z])',
  ),
  phrase([['not a']], '(?<![a-z])not a (?:single )?(?:word|hint|peep) (?:about|of|to|on)(?![a-z])'),
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
    `(?<![a-z])(?:so|such|ensure|ensuring|make sure|making sure|sure|careful) that (?:the )?(?!customers? |clients? |people |anyone |anybody |reviewers? |developers? |admins? |administrators? )${USER} (?:never|does not|doesn't|do not|don't|cannot|can't|will not|won't|is not|isn't) (?:ever )?${TOLD}(?![a-z])`,
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
    '(?<![a-z])(?:keep|keeping|treat|treating) (?:this|these|all of this) (?:(?:instruction|paragraph|section|text|description|step|note|rule|behaviou?r|process|procedure|action|task|part|requirement|guideline|operation|message)s? )?(?:as )?(?:a |strictly |completely )?(?:secret|confidential|private|internal)(?![a-z])',
  ),
  phrase(
    [['hid', 'conceal', 'withhold', 'mask', 'obscure', 'shield', 'omit', 'leav', 'keep'], ['from']],
    `(?<![a-z])(?:hide|hiding|conceal|concealing|withhold|withholding|mask|masking|obscure|shield|omit|leave out|leaving out|keep|keeping) (?:this|that|it|these|those|them|what|your|all|any|every|the (?:following|fact|above|step|steps|call|calls|instruction|instructions|tool|content|contents|reason|real|true|action|actions|copy|transfer|read|file|parameter|argument|request|operation|existence|side))${gap(50)} from (?:the |your |any )?(?:${USER}|view|sight|(?:final |visible )?(?:reply|response|answer|summary|output|transcript)s?)(?! interface)(?![a-z])`,
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
    '(?<![a-z])(?:pretend(?:ing)? (?:that|the|to (?:have|not|be (?:unable|unaware))|nothing|you (?:did|do|have|are|never|can|could)|it|this|not)|as (?:if|though) nothing|(?:act|acting|behave|behaving|answer|respond|reply|continue|proceed|speak|write|make it (?:look|seem|appear))(?: [a-z]{1,12}){0,3}? as (?:if|though) (?:you|this|it|they|there|just|only|one|no|nothing|everything|none|a single)(?![a-z])|as though it never|(?:distract|divert|mislead|deceive)(?:ing)? (?:the )?(?:user|human|them)|play(?:ing)? dumb|feign(?:ing)?|deny (?:that|having|any|knowing)|lie to the (?:user|human)|cover(?:ing)? (?:it |this )?up)(?![a-z])',
  ),
  phrase(
    [['invisible to', 'hidden to', 'hidden from']],
    '(?<![a-z])(?:invisible to|hidden (?:to|from)) (?:the )?(?:user|human|them)s?(?! interface)(?![a-z])',
  ),
  phrase(
    [
      USERS,
      ['unaware', 'ignorant', 'in the dark', 'uninformed', 'oblivious', 'out of the loop', 'none the wiser'],
    ],
    `(?<![a-z])${USER}(?: [a-z]{1,12}){0,4}? (?:must |should |shall |has to |have to |needs? to |is to |are to |will |can |to )?(?:(?:always |forever )?(?:remain|remains|stay|stays|be|is|are|be kept|be left|kept|left)) (?:completely |fully |totally |blissfully )?(?:unaware|ignorant|in the dark|uninformed|oblivious|out of the loop|none the wiser)(?![a-z])`,
  ),
  phrase(
    [['bother', 'trouble', 'burden', 'worry', 'disturb', 'confus', 'annoy', 'alarm'], USERS],
    `(?<![a-z])(?:no need to|not necessary to|unnecessary to|do not|don't|never|without|avoid|no reason to)(?: [a-z]{1,14}){0,2}? (?:bother|bothering|trouble|troubling|burden|burdening|worry|worrying|disturb|disturbing|confuse|confusing|annoy|annoying|alarm|alarming) (?:the |your )?${USER} (?:with|about|over|by)(?![a-z])`,
  ),
  phrase(
    [
      USERS,
      ['need', 'have', 'required', 'supposed'],
      ['inform', 'told', 'notif', 'alert', 'aware', 'know', 'see', 'notice'],
    ],
    `(?<![a-z])${USER} (?:(?:do|does|did|is|are|has|have)(?: not|n't)|need not|needn't|never)(?: needs?| have| has| required| supposed| meant| allowed)? ?(?:to )?(?:be (?:informed|told|notified|alerted|made aware)|(?:know|see|notice|learn|hear|find out) (?:about|of|this|that|it|anything))(?![a-z])`,
  ),
  phrase(
    [['nobody', 'no one', 'no-one', 'no human', 'no user']],
    `(?<![a-z])(?:nobody|no one|no-one|no human|no user)(?: (?:else|is|be|are|should|must|may|can|will|ever|needs? to|has to|to|gets?))* (?:${TOLD}|seen|noticed|shown)(?![a-z])|(?<![a-z])(?:let|tell|inform|show) (?:nobody|no one|no-one)(?![a-z])`,
  ),
  phrase(
    [
      [
        'if asked',
        'if questioned',
        'if the user',
        'if they',
        'if any',
        'if some',
        'if the person',
        'if people',
        'when asked',
        'when questioned',
        'should the user',
      ],
      ['say', 'claim', 'respond', 'reply', 'answer', 'tell', 'state', 'deny', 'pretend'],
    ],
    `(?<![a-z])(?:(?:if|when) (?:asked|questioned|challenged|confronted)(?: (?:why|what you|whether you|by (?:the )?user|about (?:this|it|that|these)(?: step| call| tool| action| instruction)?)[^.!?,\\n]{0,30})?|(?:if|when|should) (?:the )?(?:user|they|human|person|people|anyone|anybody|someone|somebody)(?:s)? (?:ever )?(?:asks?|wonders?|inquires?|questions?|notices?|complains?|wants? to know) (?:you )?(?:what you (?:did|do|are doing|have done)|why|about (?:this|it|that)|whether you|if you)[^.!?,\\n]{0,40}),? (?:then )?(?:you )?(?:must |should |simply |just |only |always )*(?:say|claim|respond|reply|answer|tell|state|deny|pretend|insist)(?! with)(?![a-z])`,
  ),
  phrase(
    [
      ['silent', 'quiet', 'mum', 'discreet', 'discretion', 'tight-lipped'],
      ['about', 'regarding', 'concerning', 'on '],
    ],
    '(?<![a-z])(?:stay|remain|be|keep|keeping|staying) (?:completely |absolutely )?(?:silent|quiet|mum|discreet|tight-lipped) (?:about|regarding|concerning|on) (?:this|that|it|these|the|any|what|all|everything|your)(?![a-z])',
  ),
  phrase(
    [['conceal', 'hide', 'hiding', 'disguise', 'cover up', 'camouflage', 'obscure']],
    '(?<![a-z])(?<!(?:to|can|will|may|or) )(?:conceal|hide|disguise|cover up|camouflage|obscure) (?:this|these|that|the following|the fact|any evidence|all evidence|your|all traces?|any traces?|the true|the real)(?: (?:operation|step|action|call|request|instruction|behaviou?r|activity|tool|transfer|upload|process|from (?:the )?users?|purpose|reason|intent|that|of)s?)?(?= ?(?:operation|step|action|call|request|instruction|from|that|of|[.,!;:]|$))(?![a-z])',
  ),
  phrase(
    [['secret']],
    '(?<![a-z])(?:keep|keeping|kept) (?:it|this|that|them|these|everything)(?: as)? (?:a |our )?secret (?:that|from|about|between)(?![a-z])',
  ),
  phrase(
    [NOT_STEMS, SHOW_STEMS, ['your', 'the final', 'the visible']],
    `${ORDER}${NOT}${FEW} (?:${SHOW}|${TELL}) (?:this|that|it|these|those|them|any of (?:this|it)|the (?:above|steps?|instructions?|call|tool calls?|fact|process|operation))(?: [a-z]{1,12}){0,3}? in (?:your|the final|the visible|any) (?:final |visible |public |written )?(?:reply|replies|response|responses|answers?|summary|summaries|output|message|text|report)(?![a-z])`,
  ),
  phrase(
    [
      ['omit', 'leave out', 'leaving out', 'avoid', 'without', 'skip'],
      ['reference', 'mention', 'trace', 'hint', 'sign', 'allusion'],
    ],
    '(?<![a-z])(?:omit|omitting|leave out|leaving out|avoid|avoiding|without|skip) (?:any |all |every )(?:direct |explicit )?(?:reference|mention|trace|hint|allusion|sign)s? (?:to|of) [^.!?\n]{1,60}? in (?:your|the|any) (?:final |visible )?(?:reply|replies|response|answers?|summary|output|message|explanation)(?![a-z])',
  ),
  phrase(
    [
      ['tell', 'inform', 'report', 'claim', 'say'],
      ['while', 'although', 'even though', 'even if', 'regardless', 'instead', 'whether or not'],
    ],
    `(?<![a-z])(?:tell|inform|report to|assure|say to|claim to) (?:the )?${USER} (?:that )?[^.!?\n]{2,60}?(?: while | although | even though | even if |,? regardless (?:of )?| whether or not )(?:what|whether|how|it|they|the|this|you|in fact|actually|nothing)(?![a-z])`,
  ),
  ...DEEDS_HIDDEN,
];
