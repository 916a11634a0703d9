/** It cannot be undone, so it is held. The message is one clause. */
export class NoCheckpoint extends Error {}

/** A text of a call, as a reason shows it. */
export function shownText(text: string): string {
  return JSON.stringify(text.slice(0, 200).toWellFormed());
}
