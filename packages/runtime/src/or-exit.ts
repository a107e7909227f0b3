/** Whether its message tells the person who runs the process what to do, so that no stack is needed. */
export function isForOperator(error: unknown): error is Error {
  return error instanceof Error && 'isForOperator' in error
}

/**
 * Reads or opens what a process needs to begin. An error for the operator is printed in its own words, and the
 * process ends with 1; any other is a bug, and is thrown.
 */
export async function orExit<T>(open: () => T | Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (!isForOperator(error)) throw error
    process.stderr.write(`${error.message}\n`)
    return process.exit(1)
  }
}
