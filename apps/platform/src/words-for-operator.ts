import { whyBrokenOff } from '@flamegate/db'
import { isForOperator } from '@flamegate/runtime'

/** What a command that failed says to the person who runs it; undefined when it is a defect, whose stack is wanted. */
export function wordsForOperator(error: unknown): string | undefined {
  if (isForOperator(error)) return error.message
  const why = whyBrokenOff(error)
  return why === undefined
    ? undefined
    : `The database broke it off: ${why}. What was being written is not whole; do it again when the database is there.`
}
