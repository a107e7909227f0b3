import { selfValuesOf, totalValues, type Profile } from '../profile.ts'

/** The call tree as text, `name total/self` per node, indented by depth; the root only when it has a value of its own. */
export function drawTree(profile: Profile, sampleTypeIndex?: number): string[] {
  const { parents, functionIndexes } = profile.nodes
  const self = selfValuesOf(profile, sampleTypeIndex)
  const totals = totalValues(parents, self)
  const depths: number[] = [-1]
  const lines = self[0] === 0 ? [] : [`(root) ${totals[0]}/${self[0]}`]
  for (let node = 1; node < parents.length; node++) {
    depths[node] = depths[parents[node]!]! + 1
    const name = profile.functions.names[functionIndexes[node]!]
    lines.push(`${'  '.repeat(depths[node]!)}${name} ${totals[node]}/${self[node]}`)
  }
  return lines
}
