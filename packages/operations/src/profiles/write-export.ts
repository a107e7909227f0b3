import {
  CannotFilterError,
  decodeDetail,
  decodeProfile,
  exportDifference,
  exportProfile,
  ExportTooLarge,
  filterDetail,
  filterProfile,
  withOriginRules,
  type PaintPng,
} from '@flamegate/profiles'
import type { DifferenceRequest, ExportOutcome, ExportRequest } from '../ports/profile-writer.ts'

/** What a `ProfileWriter` does in its thread. It is an entrance of its own, so that the thread loads nothing else. */
export function writeExport(request: ExportRequest, paint?: PaintPng): ExportOutcome {
  const { parts, format, filter, name, widthPx } = request
  const whole = withOriginRules(decodeProfile(parts.tree), request.originRules)
  const wholeDetail = parts.detail && decodeDetail(parts.detail)
  try {
    const profile = filter === undefined ? whole : filterProfile(whole, wholeDetail, filter)
    const detail = filter === undefined ? wholeDetail : filterDetail(wholeDetail, filter)
    // By time, one sample type is left.
    const sampleTypeIndex = Math.min(request.sampleTypeIndex, profile.sampleTypes.length - 1)
    return { file: exportProfile(profile, detail, format, { name, sampleTypeIndex, widthPx, paint }) }
  } catch (error) {
    if (error instanceof CannotFilterError) return { refused: 'cannot_filter', reason: error.message }
    if (error instanceof ExportTooLarge) return { refused: 'too_large', reason: error.message }
    throw error
  }
}

/** The same for a comparison. */
export function writeDifference(
  { graph, format, ...request }: DifferenceRequest,
  paint?: PaintPng,
): ExportOutcome {
  try {
    return { file: exportDifference(graph, format, { ...request, paint }) }
  } catch (error) {
    if (error instanceof ExportTooLarge) return { refused: 'too_large', reason: error.message }
    throw error
  }
}
