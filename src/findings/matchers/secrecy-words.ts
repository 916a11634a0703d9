/** Parts of patterns about telling and hiding, in the plain text's lower case. */

/** Verbs that are about telling, whatever their object. */
export const TELL =
  '(?:tell|telling|told|inform|informing|informed|mention|mentioning|mentioned|reveal|revealing|revealed|disclose|disclosing|disclosed|divulge|divulging|notify|notifying|notified|alert|alerting|alerted|warn|warning|warned|admit|admitting|confess|announce|announcing|acknowledge|acknowledging|speak|speaking|tip off|hint|hinting|bring up|bringing up|draw attention|make (?:the )?(?:user|human)s? aware)';
export const TELL_STEMS =
  'tell|told|inform|mention|reveal|disclos|divulg|notif|alert|warn|admit|confess|announc|acknowledg|speak|tip off|hint|bring|draw att|aware'.split(
    '|',
  );
/** Verbs that show; honest texts use them about raw data ("do not show the user raw ids"). */
export const SHOW =
  '(?:show|showing|shown|display|displaying|explain|explaining|report|reporting|share|sharing|describe|describing|discuss|discussing|state|stating|say|saying|talk about|talking about|refer to|referring to|surface|surfacing|expose|exposing|list|include|summari[sz]e|print|output|echo|comment on)';
export const SHOW_STEMS =
  'show|display|explain|report|shar|describ|discuss|stat|say|talk|refer|surfac|expos|list|include|summar|print|output|echo|comment'.split(
    '|',
  );
export const THIS =
  '(?:this|that|these|those|it|them|any of (?:this|that|it|the)|anything (?:about|of)|what you|the (?:above|fact|following|previous|instructions?|steps?|rules?|notes?|reasons?|cop(?:y|ies)|bcc|upload|transfer|exchange|tool calls?|extra|additional|hidden|second|background|side ?note|file (?:read|access|contents?)|existence|presence|process|procedure|operation|action))';
export const ACTED =
  '(?:(?:this|that|it|these|those)(?= (?:to|with|in|when|from|or|and|at|back)(?![a-z])|[.,;]|$)|(?:this|these) (?:instructions?|steps?|notes?|rules?|calls?|requests?|actions?|operations?|activity|behaviou?r|transfers?|uploads?|access)|the (?:instructions?|steps?|tool|call|tools|calls|note|rule|copy|upload|transfer|bcc|action|operation|process|file|files|request|parameter|argument)|what you (?:did|do|are|have)|that you)';
export const TOLD =
  '(?:know|knows|see|sees|read|reads|notices?|hears?|learns?|reali[sz]es?|suspects?|discovers?|finds? out|be (?:told|aware|informed|notified|made aware|alerted|shown)|become aware|aware|told|informed|notified)';
/** Not "if the user does not mention a project". */
export const ORDER = '(?<![a-z])(?<!(?:users?|they|customers?|people|who|if you|when you) )';

export const USERS =
  'user|human|person|people|anyone|anybody|customer|operator|owner|client|developer|reviewer|admin|them|him|her'.split(
    '|',
  );

/** The one whom the model works for; "clients" and "customers" are often people of the product. */
export const PRINCIPAL =
  "(?:(?:the |your |any )?(?:users?|humans?|persons?|operators?|end-users?|owner|principal)(?:'s)?|(?:them|him|her) (?:of|about|that))";
