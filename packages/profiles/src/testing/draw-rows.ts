import { readProfile, topFunctions } from '../index.ts'
import { sample } from './samples.ts'

/**
 * All functions of a sample as text, `name self/total`, in the order of their names; values times `factor`, to
 * compare samples of different units.
 */
export function drawRows(
  path: string,
  { sampleTypeIndex, factor = 1 }: { sampleTypeIndex?: number; factor?: number } = {},
) {
  return topFunctions(readProfile(sample(path)), { by: 'self', limit: Infinity, sampleTypeIndex })
    .map((row) => `${row.functionName} ${row.selfValue * factor}/${row.totalValue * factor}`)
    .toSorted()
}
