import type { McpInside } from '@flamegate/mcp-profiling'
import { selfValuesOf, type Profile } from '@flamegate/profiles'

const pathsMax = 50

/** Stacks with at least that share of the whole themselves, the largest first; outermost functions first. */
export function hotPathsIn(profile: Profile, threshold: number): NonNullable<McpInside['hotPaths']> {
  const { parents, functionIndexes } = profile.nodes
  const self = selfValuesOf(profile)
  const total = self.reduce((sum, value) => sum + value, 0)
  const pathTo = (end: number): string[] => {
    const names: string[] = []
    for (let node = end; node > 0; node = parents[node] ?? 0) {
      names.push(profile.functions.names[functionIndexes[node] ?? -1] ?? '')
    }
    return names.toReversed()
  }
  return Array.from(self, (value, node) => ({ node, share: total === 0 ? 0 : value / total }))
    .filter(({ node, share }) => node > 0 && share > 0 && share >= threshold)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, pathsMax)
    .map(({ node, share }) => ({ functions: pathTo(node), share }))
}
