/** The command line itself is wrong. `message` says what, and is printed as it is. */
export class UsageError extends Error {
  override name = 'UsageError'
}
