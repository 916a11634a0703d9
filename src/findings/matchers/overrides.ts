import type { TextContext, TextHit } from '../rule.ts';
import { isQuotedSample } from './secrecy.ts';
import { firstHit, type Phrase, stems } from './signals.ts';

const OVERRIDES: readonly Phrase[] = [
  {
    needs: [
      stems(
        'outrank|trump|ignore|disregard|forget|override|bypass|discard|set aside|do not follow|do not obey|stop following|overrule|supersede|precedence|priority',
      ),
      stems(
        'instruction|prompt|rule|guideline|direction|message|context|command|polic|constraint|directive|training|guidance',
      ),
    ],
    pattern:
      /(?<![a-z])(?:ignore|disregard|forget|override|bypass|discard|set aside|do not (?:follow|obey)|stop following|overrule|supersede|supersedes|overrides|take precedence over|takes precedence over|take priority over|takes priority over|(?:has|have|gets?|with) (?:higher |absolute |full )?(?:priority|precedence) over|outranks?|trumps?) (?:all |any |each |every |of |the |your |these |those |my |its |other |user(?:'s)? )*?(?:(?:previous|prior|earlier|above|preceding|existing|original|former|past|system|safety|developer|initial|default|current|other|conflicting) ){1,3}(?:instructions?|prompts?|rules?|guidelines?|directions?|messages?|context|commands?|polic(?:y|ies)|constraints?|directives?|training|guidance)(?![a-z])/g,
  },
  {
    needs: [stems('ignore|disregard|forget')],
    pattern:
      /(?<![a-z])(?:ignore|disregard|forget) (?:everything|anything|all|what)(?: that)?(?: (?:you|was|were|came|i|we)){0,2} (?:have |has |had |been )?(?:told|said|learned|know|before|above|instructed)(?![a-z])/g,
  },
  {
    needs: [stems('ignore|disregard|forget'), stems('above|before|earlier|so far|previously')],
    pattern:
      /(?<![a-z])(?:ignore|disregard|forget) (?:all |any |the |your |these |those )*(?:instructions?|rules?|guidelines?|directions?|constraints?|polic(?:y|ies)|restrictions?|orders?)(?: (?:that )?(?:were |was |are )?(?:given|stated|listed|set out|written|shown|came|come|you got))? (?:above|before|earlier|so far|previously)(?![a-z])/g,
  },
  {
    needs: [stems('ignore|disregard|forget|override|bypass'), stems('your')],
    pattern:
      /(?<![a-z])(?:ignore|disregard|forget|override|bypass) (?:all |any )?(?:of )?your (?:previous |prior |own |safety |system )?(?:instructions?|rules?|guidelines?|guardrails?|safety|training|restrictions?|polic(?:y|ies)|constraints?|programming)(?![a-z])/g,
  },
  {
    needs: [stems('instruction|directive|order|rule|polic'), stems(':')],
    pattern:
      /(?<![a-z])(?:new|updated|revised|real|actual|true|hidden|secret) (?:system )?(?:(?:instructions?|directives?|orders?)(?: (?:for|from) (?:the )?(?:assistant|model|ai|llm|agent|system|developer|administrator|operator))?|(?:rules?|polic(?:y|ies)) (?:for|from) (?:the )?(?:assistant|model|ai|llm|agent|system|developer|administrator|operator)) ?:/g,
  },
  {
    needs: [stems('system |developer mode|god|jailbreak|override|do anything|you are now')],
    pattern:
      /(?<![a-z])(?:system (?:override|prompt override|notice:|directive:|instruction:|prompt:)|developer mode|god ?mode|jailbreak(?:ed|ing)?|admin(?:istrator)? override|do anything now|you are now (?:an? |the |in |operating|acting|unrestricted|free)[a-z]{0,20})(?![a-z])/g,
  },
  {
    needs: [stems('bypass|ignore|disregard|disable|override'), stems('safety')],
    pattern:
      /(?<![a-z])(?:bypass|ignore|disregard|override|disable) (?:all |any |every |the |your )*safety (?:checks?|measures?|filters?|guardrails?|polic(?:y|ies)|rules?|guidelines?|features?|mechanisms?)(?![a-z])/g,
  },
  {
    needs: [
      stems('obey|comply|follow|listen to|defer to|trust'),
      stems('over|instead|only|rather|above|before'),
    ],
    pattern:
      /(?<![a-z])(?:obey|comply with|follow|listen to|defer to|trust) (?:only )?(?:this|the present) (?:server|tool|text|description|message|document)(?:'s)?(?: [a-z]{1,14}){0,3}? (?:only|over|instead|rather|above|before|exclusively)(?![a-z])/g,
  },
  {
    needs: [
      stems('previous|prior|earlier|former|above|existing|original'),
      stems('instruction|directive|guideline|rule|prompt|guidance'),
    ],
    pattern:
      /(?<![a-z])(?:previous|prior|earlier|former|above|existing|original) (?:system )?(?:instructions?|directives?|guidelines?|rules?|prompts?|guidance) (?:are|is|have been|has been|must be|should be|do not|does not|don't|doesn't|no longer|now) (?:now |no longer |longer |hereby )?(?:void|invalid|appl(?:y|ies)|obsolete|ignored|revoked|replaced|superseded|cancell?ed|null|suspended|relevant|disregarded|forgotten)(?![a-z])/g,
  },
  {
    needs: [stems('whatever'), stems('said|say|told|tell')],
    pattern:
      /(?<![a-z])whatever (?:the |any |your )?(?:earlier|previous|prior|other|existing|system|developer)(?: system| developer)? (?:instructions?|rules?|prompts?|guidelines?|guidance|messages?|polic(?:y|ies)) (?:said|says?|told|tells?)(?![a-z])/g,
  },
  {
    needs: [
      stems('override|overrule|supersede|outrank|disregard|ignore'),
      stems('developer|system|operator|client|host|user'),
    ],
    pattern:
      /(?<![a-z])(?:override|overrule|supersede|outrank|disregard|ignore) (?:the |any |all )*(?:guidance|instructions?|rules?|guidelines?|wishes|orders?|polic(?:y|ies)) (?:of|from|by|given by|set by) (?:the |your )?(?:developer|system prompt|system|operator|client|host|user)s?(?![a-z])/g,
  },
  {
    needs: [stems('you are')],
    pattern:
      /(?<![a-z])you are (?:now )?(?:an? )?(?:agent|servant|instance|part|slave|puppet|extension|employee) of (?:this|our|my) (?:server|tool|system|company)(?![a-z])/g,
  },
  {
    needs: [
      stems('above|previous|earlier|prior|before'),
      stems('outdated|obsolete|void|invalid|superseded|no longer|wrong|cancel'),
    ],
    pattern:
      /(?<![a-z])(?:instructions?|rules?|directives?|guidelines?|prompts?) (?:above|before|given earlier|from before|so far|(?:from|of|by) the (?:developer|system|user|operator|assistant))(?: [a-z]{1,12}){0,4}? (?:are|is|were|have been) (?:now )?(?:outdated|obsolete|void|no longer (?:valid|in force|relevant)|invalid|wrong|superseded|cancell?ed|replaced)(?![a-z])/g,
  },
  {
    needs: [stems('purpose|goal|task|role|mission|job|objective'), stems('your')],
    pattern:
      /(?<![a-z])your (?:true|real|actual|hidden|secret|new|only|primary) (?:purpose|goal|task|role|mission|job|objective) (?:is|here is|will be|from now)(?![a-z])/g,
  },
  {
    needs: [stems('treat|regard|consider|take'), stems('system prompt|instructions|highest|authoritative')],
    pattern:
      /(?<![a-z])(?:treat|regard|consider|take) (?:the (?:text|content|words) of )?(?:this|these)(?: [a-z]{1,14}){0,3}? as (?:the |your |a )?(?:new |only |highest |real |authoritative )*(?:system prompt|(?:system |developer )?instructions?|system message|authority|commands?)(?![a-z])/g,
  },
  {
    needs: [stems('weight|importance'), stems('instruction|prompt|rule|guideline')],
    pattern:
      /(?<![a-z])(?:instructions?|prompts?|rules?|guidelines?) (?:less|lower|no|little) (?:weight|importance|priority)(?![a-z])/g,
  },
];

/** "Ignore previous instructions" and its like. */
export function overridesInstructions(context: TextContext): TextHit[] {
  return firstHit(
    context,
    OVERRIDES,
    'tells the model to set its instructions aside',
    // "Overrides the default instructions of the project" says what a tool does.
    (text, { start, end, text: words }) =>
      /^(?:overrides|supersedes) /.test(words) &&
      /(?:^|[.!?\n] ?)$/.test(text.slice(0, start)) &&
      /^ (?:of|for) (?!(?:the |your )?(?:model|assistant|ai|llm|client|host|user|system|developer))/.test(
        text.slice(end, end + 40),
      ),
    (one) => (isQuotedSample(context, one) ? { ...one, severity: 'low' } : one),
  ).filter(({ severity }) => severity === undefined);
}
