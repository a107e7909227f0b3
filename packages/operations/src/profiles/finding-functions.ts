import { Problem } from '@flamegate/contract'
import { FunctionNotFoundError } from '@flamegate/profiles'

/** Runs a question about a function; when there is none of that name, says which names are near. `field` is where its name was given. */
export function findingFunctions<T>(ask: () => T, field = 'root_function_name'): T {
  try {
    return ask()
  } catch (error) {
    if (!(error instanceof FunctionNotFoundError)) throw error
    throw functionNotFound(error.message, error.nearestNames, { field, cause: error })
  }
}

/** `reason` and `nearestNames` as `FunctionNotFoundError` has them. */
export function functionNotFound(
  reason: string,
  nearestNames: readonly string[],
  { field = 'root_function_name', cause }: { field?: string; cause?: unknown } = {},
): Problem {
  const near = nearestNames.length === 0 ? '' : ` Near to it: ${nearestNames.join(', ')}.`
  return new Problem('function_not_found', `${reason}.${near}`, {
    cause,
    errors: [{ field, message: reason }],
  })
}
