import { ApiProblem } from '@flamegate/client'

/** Whether the address names what another snapshot has. */
export function isRefused(error: Error | null): error is ApiProblem {
  return error instanceof ApiProblem && error.code === 'invalid_input'
}
