import {
  CannotFilterError,
  decodeDetail,
  decodeProfile,
  filterProfile,
  flameColumns,
  FunctionNotFoundError,
  withOriginRules,
} from '@flamegate/profiles'
import type { ColumnsOutcome, ColumnsRequest } from '../ports/profile-writer.ts'

/** What a `ProfileWriter` does in its thread for a page that draws the whole call tree. */
export function writeColumns(request: ColumnsRequest): ColumnsOutcome {
  const { parts, filter, rootFunctionName, inverted } = request
  const whole = withOriginRules(decodeProfile(parts.tree), request.originRules)
  try {
    const profile =
      filter === undefined ? whole : filterProfile(whole, parts.detail && decodeDetail(parts.detail), filter)
    // By time, one sample type is left.
    const sampleTypeIndex = Math.min(request.sampleTypeIndex, profile.sampleTypes.length - 1)
    return { columns: flameColumns(profile, { sampleTypeIndex, rootFunctionName, inverted }) }
  } catch (error) {
    if (error instanceof CannotFilterError) return { refused: 'cannot_filter', reason: error.message }
    if (error instanceof FunctionNotFoundError) {
      return { refused: 'function_not_found', reason: error.message, nearestNames: error.nearestNames }
    }
    throw error
  }
}
