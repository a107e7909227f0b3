/** The database could not be brought up. The message is for the person at the terminal and says what to do. */
export class PostgresStartError extends Error {
  override name = 'PostgresStartError'
  readonly isForOperator = true
}
