import { Problem } from '@flamegate/contract'
import { FunctionNotFoundError } from '@flamegate/profiles'

/** Waits for the answer to a question about a function; when there is none of that name, says which names are near. `field` is where its name was given. */
export async function findingFunctions<T>(asking: Promise<T>, field = 'root_function_name'): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (!(error instanceof FunctionNotFoundError)) throw error
    const near = error.nearestNames.length === 0 ? '' : ` Near to it: ${error.nearestNames.join(', ')}.`
    throw new Problem('function_not_found', `${error.message}.${near}`, {
      cause: error,
      errors: [{ field, message: error.message }],
    })
  }
}
