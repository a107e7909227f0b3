/** An action cannot be done, or what came of it is not as it has to be. The message says so to the author of the virtual user. */
export class ActionFailure extends Error {}

/** The virtual user ends here, in the middle of whatever it does. */
export class UserEnded extends Error {}

/** Words for what a parser, a compiler or a socket threw. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
