import { topFunctions, type Profile } from '../index.ts'

/**
 * Functions as `samples/count-by-function.py` prints them, `self total name`, the largest self first; values divided by
 * `per` and rounded.
 */
export function functionRows(
  profile: Profile,
  { type, per = 1, limit = Infinity }: { type: string; per?: number; limit?: number },
): string[] {
  const sampleTypeIndex = profile.sampleTypes.findIndex((sampleType) => sampleType.type === type)
  return topFunctions(profile, { by: 'self', limit, sampleTypeIndex }).map(
    (row) => `${Math.round(row.selfValue / per)} ${Math.round(row.totalValue / per)} ${row.functionName}`,
  )
}
