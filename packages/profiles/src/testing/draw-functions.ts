import { topFunctions, type Profile } from '../index.ts'

/** The functions with most of their own, `name self/total`; of equal ones, by name. */
export function drawFunctions(profile: Profile, limit: number, sampleTypeIndex?: number): string[] {
  return topFunctions(profile, { by: 'self', limit: Infinity, sampleTypeIndex })
    .toSorted((a, b) => b.selfValue - a.selfValue || (a.functionName < b.functionName ? -1 : 1))
    .slice(0, limit)
    .map((row) => `${row.functionName} ${row.selfValue}/${row.totalValue}`)
}

/** As `drawFunctions`, with how often each was called: `name calls self/total`. */
export function drawCalledFunctions(profile: Profile, limit: number): string[] {
  const calls = new Map<string, number>()
  const { functionIndexes } = profile.nodes
  for (let node = 1; node < functionIndexes.length; node++) {
    const name = profile.functions.names[functionIndexes[node]!]!
    calls.set(name, (calls.get(name) ?? 0) + profile.nodes.calls![node]!)
  }
  return drawFunctions(profile, limit).map((row) => {
    const name = row.slice(0, row.lastIndexOf(' '))
    return `${name} ${calls.get(name)}${row.slice(name.length)}`
  })
}
