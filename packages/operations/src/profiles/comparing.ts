import { Problem } from '@flamegate/contract'
import { CannotCompareError, CannotMergeError, FormatError } from '@flamegate/profiles'

/** Waits for the answer to a question about several profiles; when they do not go together, says why. */
export async function comparing<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof CannotCompareError)
      throw new Problem('invalid_input', `These profiles cannot be compared: ${error.message}.`, {
        cause: error,
      })
    if (error instanceof CannotMergeError || error instanceof FormatError)
      throw new Problem('invalid_input', `These profiles cannot be added up: ${error.message}.`, {
        cause: error,
      })
    throw error
  }
}
