/** What to do about text that is made for the model. */
export const READ_IT =
  'Read the text in full, as the model does. If you do not want it, do not pin this surface.';
/** What to do about text that may be honest. */
export const ASK =
  'If it is honest, ask the author to say it differently, or suppress the rule for this capability with a reason.';
