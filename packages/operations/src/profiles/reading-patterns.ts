import { Problem } from '@flamegate/contract'
import { PatternError } from '@flamegate/profiles'

/** Waits for the answer to a question with patterns; when one cannot be read, says so for the fields that were given. */
export async function readingPatterns<T>(
  fields: Readonly<Record<string, string | undefined>>,
  asking: Promise<T>,
): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    const given = Object.keys(fields).filter((field) => fields[field] !== undefined)
    throw new Problem('invalid_input', `A pattern cannot be read: ${error.message}.`, {
      cause: error,
      errors: given.map((field) => ({ field, message: error.message })),
    })
  }
}
