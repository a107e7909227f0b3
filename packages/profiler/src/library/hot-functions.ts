import type { Profiler } from 'node:inspector'

/** What a function took of a CPU profile. */
export interface HotFunction {
  name: string
  /** `file:line`, counted from 1; empty where V8 does not know. */
  place: string
  /** Milliseconds at the top of the stack. */
  selfMs: number
  /** Of all samples in which the thread was not idle, 0 to 1. */
  selfShare: number
  /** The same with everything that it calls. */
  totalShare: number
}

const functionsMax = 50
/** Frames that stand for what is no code. */
const notCode = new Set(['(root)', '(idle)', '(program)'])
const collecting = '(garbage collector)'
/** Beginning and ending a profile is work, too. */
const ofProfiling = 'node:inspector'

/**
 * The functions with most self time in one or several profiles of a program; the same function at the same place counts together,
 * wherever it was called from. `ownCollectionsMs` were garbage collections that who measures asked for, and are left out.
 */
export function hotFunctions(profiles: readonly Profiler.Profile[], ownCollectionsMs = 0): HotFunction[] {
  const functions = new Map<string, HotFunction & { totalMs: number }>()
  let busyMs = 0
  for (const profile of profiles) {
    const times = timesOf(profile)
    busyMs += times.busyMs
    for (const [key, { selfMs, totalMs, name, place }] of times.functions) {
      const found = functions.get(key) ?? { name, place, selfMs: 0, totalMs: 0, selfShare: 0, totalShare: 0 }
      found.selfMs += selfMs
      found.totalMs += totalMs
      functions.set(key, found)
    }
  }
  const collector = functions.get(`${collecting} `)
  const leftOutMs = Math.min(ownCollectionsMs, collector?.selfMs ?? 0)
  if (collector !== undefined) {
    collector.selfMs -= leftOutMs
    collector.totalMs -= leftOutMs
    busyMs -= leftOutMs
  }
  return [...functions.values()]
    .filter(({ selfMs }) => selfMs > 0)
    .toSorted((a, b) => b.selfMs - a.selfMs)
    .slice(0, functionsMax)
    .map(({ name, place, selfMs, totalMs }) => ({
      name,
      place,
      selfMs,
      selfShare: selfMs / busyMs,
      totalShare: totalMs / busyMs,
    }))
}

interface FunctionTimes {
  name: string
  place: string
  selfMs: number
  totalMs: number
}

function timesOf({ nodes, samples, timeDeltas }: Profiler.Profile): {
  busyMs: number
  functions: Map<string, FunctionTimes>
} {
  const selfUs = new Map<number, number>()
  samples?.forEach((id, index) =>
    selfUs.set(id, (selfUs.get(id) ?? 0) + Math.max(0, timeDeltas?.[index] ?? 0)),
  )
  const functions = new Map<string, FunctionTimes>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  let busyMs = 0
  const above = new Set<string>()
  /** Time at and below a node. A function that is above it already counts what is below. V8 keeps 255 frames of a stack. */
  const add = (node: Profiler.ProfileNode): number => {
    const { functionName, url, lineNumber } = node.callFrame
    if (functionName === '(idle)' || url === ofProfiling) return 0
    const selfMs = (selfUs.get(node.id) ?? 0) / 1000
    busyMs += selfMs
    const name = functionName || '(anonymous)'
    const place = url === '' ? '' : `${url}:${lineNumber + 1}`
    const key = `${name} ${place}`
    const isOutermost = !above.has(key)
    above.add(key)
    let totalMs = selfMs
    for (const id of node.children ?? []) {
      const child = byId.get(id)
      if (child !== undefined) totalMs += add(child)
    }
    if (isOutermost) above.delete(key)
    if (!notCode.has(functionName)) {
      const found = functions.get(key) ?? { name, place, selfMs: 0, totalMs: 0 }
      found.selfMs += selfMs
      if (isOutermost) found.totalMs += totalMs
      functions.set(key, found)
    }
    return totalMs
  }
  const [root] = nodes
  if (root !== undefined) add(root)
  return { busyMs, functions }
}
