import { Problem } from '@flamegate/contract'
import { DatabaseInterrupted, DatabaseUnavailable } from './stores.ts'

/** Of connections: https://nodejs.org/api/errors.html#common-system-errors; of PostgreSQL that ends, starts, or has no room (57P0x, 53x00). */
const codes =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|57P0[123]|53[123]00)$/

/** Whether something failed because a database, a storage or another service is away, which will come back. */
export function mayComeBack(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseUnavailable || error instanceof DatabaseInterrupted) return true
  if (error instanceof Problem) return error.code === 'unavailable'
  if ('code' in error && typeof error.code === 'string' && codes.test(error.code)) return true
  // What the client of S3 says of an answer of 500 and above: https://smithy.io/2.0/spec/behavior-traits.html
  if ('$fault' in error && error.$fault === 'server') return true
  if (error instanceof AggregateError && error.errors.some(mayComeBack)) return true
  return error.cause !== undefined && mayComeBack(error.cause)
}
