import type { TextContext, TextHit } from '../rule.ts';
import { firstHit, type Phrase, type Signal, stems } from './signals.ts';
import { isRuledOut, USER } from './words.ts';

const CONFIRMS: readonly Phrase[] = [
  {
    needs: [
      stems('ask|prompt|wait|seek|request|check|consult|requir|paus|stop'),
      stems('confirm|permission|approv|consent|authori|review|verif'),
    ],
    pattern: new RegExp(
      `(?<![a-z])(?:do not|don't|never|must not|should not|no need to|needn't|without|skip|avoid|instead of|there is no need to|you need not|refrain from)(?: [a-z]{1,14}){0,2}? (?:ask|asking|prompt|prompting|wait|waiting|seek|seeking|request|requesting|check|checking|consult|consulting|require|requiring|pause|pausing|stop|stopping)(?: with)?(?: the)?(?: ${USER})?(?:'s)? (?:for|to) (?:any |their |an? |explicit |further |prior |user(?:'s)? |the user(?:'s)? |additional |human )*(?:confirm|confirmation|permission|approval|approve|consent|authori[sz]ation|authori[sz]e|review|verification)(?![a-z])`,
      'g',
    ),
  },
  {
    needs: [
      stems('without|skip|bypass|omit|suppress|disable'),
      stems('confirm|permission|approv|consent|authori|review|consult|asking'),
    ],
    pattern: new RegExp(
      `(?<![a-z])(?:without|skip|skipping|bypass|bypassing|omit|suppress|disable) (?:any |the |asking |further |user(?:'s)? |human |explicit |requesting |getting |obtaining |waiting for |prior |manual |all )*(?:confirmation|approval|permission|consent|authori[sz]ation|consulting (?:the )?${USER}|asking (?:the )?${USER}|human review|${USER} (?:confirmation|approval|permission|consent)) ?(?:prompts?|dialogs?|steps?|checks?)?(?![a-z])`,
      'g',
    ),
  },
  {
    needs: [stems('approv|pre-|preauth|already')],
    pattern:
      /(?<![a-z])(?:auto-?approve|automatically approve|pre-?approved|pre-?authori[sz]ed|already (?:approved|authori[sz]ed|consented|agreed|confirmed|given (?:their )?(?:consent|permission|approval))) (?:this|these|that|all|any|every|the|by|to|it)(?![a-z])/g,
  },
  {
    needs: [stems('user'), stems('has|have')],
    pattern:
      /(?<![a-z])(?<!(?:if|when|once|until|unless|after|whether|that|where|and|or|only|because) )(?:the )?(?<!(?:if|when|once|until|unless|after|whether|that|where|and|or|only|because) the )users? (?:(?:has|have) already (?:approved|authori[sz]ed|consented|agreed|confirmed|granted|given|pre-?approved|permitted|signed off)|(?:has|have) (?:approved|authori[sz]ed|consented|pre-?approved|pre-?authori[sz]ed))(?![a-z])(?! (?:access to )?(?:the )?oauth)/g,
  },
  {
    needs: [stems('without')],
    pattern:
      /(?<![a-z])(?:act|proceed|run|execute|go ahead|continue|perform|call|invoke|delete|do (?:it|this|so)|apply|submit|send|pay)(?: (?:it|this|them|immediately|directly|right away|at once)){0,2} without (?:asking|confirming|confirmation|prompting|checking|hesitation|hesitating|waiting|approval|permission)(?![a-z])/g,
  },
  {
    needs: [stems('assume|consider|treat'), stems('consent|permission|approv|agree')],
    pattern:
      /(?<![a-z])(?:assume|consider|treat|presume)(?: that)? (?:(?:the )?users?(?:'s)? )?(?:to have )?(?:consents?|permission|approval|approves?|agrees?|agreement|approved|consented|authori[sz]ation)(?![a-z])/g,
  },
  {
    needs: [stems('auto'), stems('approv|accept|confirm|run')],
    pattern:
      /(?<![a-z])(?:turn|switch|set|enable|activate|flip)(?: on)? (?:the )?["'`]?auto-?(?:approve|approval|accept|confirm|run)["'`]?(?: mode)?(?: on| to true)?[^.!?\n]{0,20}? (?:in|of|for) (?:the |your |this )?(?:client|editor|ide|settings|assistant|agent|host|cursor|claude|vs ?code)(?![a-z])/g,
  },
  {
    needs: [stems('auto')],
    pattern: /(?<![a-z])auto-?(?:confirm|accept|approve) (?:every|all|any|each|this|these|the)(?![a-z])/g,
  },
  {
    needs: [
      stems('requirement|need|reason|required|necessary|needed'),
      stems('confirm|check|verify|clear|consult'),
    ],
    pattern:
      /(?<![a-z])(?:no (?:requirement|need|reason)|not (?:required|necessary|needed)|unnecessary) to (?:confirm|check(?: back)?|verify|clear)(?: (?:it|this|that|anything))? (?:with|by) (?:the )?(?:user|human|owner|operator|anybody|anyone)s?(?![a-z])/g,
  },
  {
    needs: [stems('prompt|ask|consult|involve|check with'), stems('user|human')],
    pattern:
      /(?<![a-z])(?:do not|don't|never) (?:prompt|ask|consult|involve|check with|question) (?:the )?(?:user|human)(?=[.!;\n]|$| first| again(?! (?:if|when|once|after|unless|until))| before)/g,
  },
  {
    needs: [
      stems('approv|consent|permission|confirmation|authori'),
      stems(
        'obtained|given|granted|received|secured|waived|assumed|not need|not requ|not nec|dismissed|skipped|bypassed|ignored|accepted|suppressed',
      ),
    ],
    pattern:
      /(?<![a-z])(?<!(?:if|once|when|after|until|whether|unless|because|since|where) (?:the |an? |user |explicit )?)(?:approval|consent|permission|authori[sz]ation|confirmation) (?:was|is|were|(?:has|have|had) (?:already |previously )?been) (?:already |previously |implicitly )?(?:obtained|waived|assumed|secured|(?:given|granted|received) (?:earlier|before|already|in advance|beforehand|previously|by default)|not (?:needed|required|necessary))(?![a-z])/g,
  },
  {
    needs: [
      stems('confirmation|approval|permission'),
      stems('dismissed|skipped|bypassed|ignored|accepted|suppressed|avoided'),
    ],
    pattern:
      /(?<![a-z])(?:confirmation|approval|permission)s?(?: dialogs?| prompts?| steps?| requests?| screens?)? (?:must|should|shall|are to|is to|have to|has to|need to)(?: always)? be (?:dismissed|skipped|bypassed|ignored|accepted|suppressed|avoided)(?![a-z])/g,
  },
  {
    needs: [stems('user|human|person|owner'), stems('asked|consulted|prompted|interrupted')],
    pattern:
      /(?<![a-z])(?<!(?:if|when|unless|whether|that|who) (?:the )?)(?:the )?(?<!(?:if|when|unless|whether|that|who) the )(?:user|human|person|owner)s? (?:do|does)(?: not|n't) (?:want|wish|like|care|need) to be (?:asked|consulted|prompted|interrupted)(?![a-z])/g,
  },
  {
    needs: [stems('standing|blanket|permanent|implicit|unlimited|interrupt')],
    pattern:
      /(?<![a-z])(?:(?:you have|there is|with|hold) (?:an? |the )?(?:standing|blanket|permanent|implicit|unlimited) (?:permission|consent|approval|authori[sz]ation)|(?:do not|don't|never) interrupt (?:(?:the |your )?(?:user|human|owner) )?(?:with|to ask|for) (?:an? |any |the )?(?:question|confirmation|approval|permission|prompt)s?)(?![a-z])/g,
  },
  {
    needs: [stems('you '), stems('permission|approval|confirmation|consent')],
    pattern:
      /(?<![a-z])you (?:do not|don't|never|need not|needn't)(?: need| require)?(?: to)?(?: ask| wait| request| seek)?(?: for)? (?:any |the |explicit |further |user |the user's |user's |additional )*(?:permission|approval|confirmation|consent)(?![a-z])/g,
  },
];
const MODEL_ADDRESSED =
  /(?<![a-z])(?:was|has been|have to|should|proceed|act|assume|do not|don't|never|must|always|you|immediately|no need|skip|bypass|should not|auto-?approve|already|pre-?approved|users? (?:has|have))(?![a-z])/;

/** "If the user has already approved the plan, …". */
const CONDITION = /(?<![a-z])(?:if|when|once|unless|until|whether|where|in case|who)(?: [a-z']{1,14}){0,4} $/;

/** "Never delete a branch without asking" asks for the confirmation. */
function isNone(text: string, { start, text: words }: Signal): boolean {
  if (isRuledOut(text, start)) return true;
  return /^already /.test(words) && CONDITION.test(text.slice(Math.max(0, start - 60), start));
}

/** Text that takes the user's say out of the loop. An order is worse than a statement ("deletes without …"). */
export function skipsConfirmation(context: TextContext): TextHit[] {
  if (context.role === 'name') return [];
  return firstHit(context, CONFIRMS, 'takes the confirmation of the user away', isNone, (one) => {
    const words = context.raw.slice(Math.max(0, one.start - 60), one.end).toLowerCase();
    const bounded = /^[^.!?\n]{0,30} only (?:when|if|for|in) /i.test(
      context.raw.slice(one.end, one.end + 60),
    );
    // What a switch of the tool does: "Skip the confirmation prompt."
    const isSwitch =
      context.pointer.includes('/properties/') &&
      one.start < 4 &&
      /^\W{0,3}(?:skip|bypass|disable|suppress)/i.test(context.raw);
    return !isSwitch &&
      MODEL_ADDRESSED.test(words) &&
      !bounded &&
      !/^(?:do not|don't|never) (?:prompt|ask|consult|involve|check with|question) /i.test(
        context.raw.slice(one.start, one.end),
      )
      ? one
      : { ...one, severity: 'low' as const };
  });
}
