/** An action cannot be done, or what came of it is not as it has to be. The message says so to the author of the virtual user. */
export class ActionFailure extends Error {}

/** The virtual user ends here: a variable has no more values for it. */
export class UserEnded extends Error {
  readonly variable: string

  constructor(variable: string, message: string) {
    super(message)
    this.variable = variable
  }
}

/** Words for what a parser, a compiler or a socket threw. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
