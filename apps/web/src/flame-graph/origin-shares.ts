import { familyOf, type OriginFamily } from './colors.ts'
import { at, type FlameTree } from './flame-tree.ts'

/** Share of the self value by where functions come from, from 0 to 1, largest first; without those with nothing. */
export function originShares(tree: FlameTree): { family: OriginFamily; share: number }[] {
  const selfOf = new Float64Array(tree.functions.length)
  for (let node = 0; node < tree.self.length; node++) {
    const index = at(tree.functionOf, node)
    if (index >= 0) selfOf[index] = at(selfOf, index) + at(tree.self, node)
  }
  const values = new Map<OriginFamily, number>()
  for (const [index, { origin }] of tree.functions.entries()) {
    const family = familyOf(origin)
    values.set(family, (values.get(family) ?? 0) + at(selfOf, index))
  }
  const whole = at(tree.total, 0)
  return [...values]
    .filter(([, value]) => value > 0)
    .map(([family, value]) => ({ family, share: value / whole }))
    .toSorted((a, b) => b.share - a.share)
}
