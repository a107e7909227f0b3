import { familyOf, type OriginFamily } from './colors.ts'
import { at, type FlameTree } from './flame-tree.ts'

/** Share of the self value by where functions come from, from 0 to 1, largest first; without those with nothing. */
export function originShares(tree: FlameTree): { family: OriginFamily; share: number }[] {
  const values = new Map<OriginFamily, number>()
  for (let node = 0; node < tree.self.length; node++) {
    const family = familyOf(tree.functions[at(tree.functionOf, node)]?.origin ?? '')
    values.set(family, (values.get(family) ?? 0) + at(tree.self, node))
  }
  const whole = at(tree.total, 0)
  return [...values]
    .filter(([, value]) => value > 0)
    .map(([family, value]) => ({ family, share: value / whole }))
    .toSorted((a, b) => b.share - a.share)
}
