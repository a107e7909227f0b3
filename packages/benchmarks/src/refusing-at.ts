import { FormatError } from './format-error.ts'

/** Has the refusals of `read` name that place too: a path within a line is of no use without the line. */
export function refusingAt<Result>(place: number | string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof FormatError) throw new FormatError(error.message, place)
    throw error
  }
}
