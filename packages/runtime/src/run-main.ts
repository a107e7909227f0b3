import { inspect } from 'node:util'

/**
 * Runs an app's start and ends the process when it fails. Errors for the person at the terminal (`isForOperator`) are
 * printed as their message alone; everything else is a bug and comes with its stack.
 */
export async function runMain(start: () => Promise<void>): Promise<void> {
  try {
    await start()
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    // Something that was started may still be running; an exit code alone would leave it so.
    process.exit(1)
  }
}

/** What to print about an error that kept an app from starting. */
export function explain(error: unknown): string {
  const isForOperator = error instanceof Error && 'isForOperator' in error && error.isForOperator === true
  return isForOperator
    ? `\nFlamegate cannot start. ${error.message}`
    : `\nFlamegate cannot start.\n${inspect(error)}`
}
