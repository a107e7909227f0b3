import { Problem } from '@flamegate/contract'
import { FunctionNotFoundError } from '@flamegate/profiles'

/** Runs a question about a function; when there is none of that name, says which names are near. */
export function findingFunctions<T>(ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (!(error instanceof FunctionNotFoundError)) throw error
    const near = error.nearestNames.length === 0 ? '' : ` Near to it: ${error.nearestNames.join(', ')}.`
    throw new Problem('function_not_found', `${error.message}.${near}`, {
      cause: error,
      errors: [{ field: 'root_function_name', message: error.message }],
    })
  }
}
