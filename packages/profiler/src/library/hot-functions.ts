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
}

const functionsMax = 50
/** Frames that stand for what is no code. */
const notCode = new Set(['(root)', '(idle)', '(program)'])
/** Beginning and ending a profile is work, too. */
const ofProfiling = 'node:inspector'

/** The functions with most self time; the same function at the same place counts together, wherever it was called from. */
export function hotFunctions({ nodes, samples, timeDeltas }: Profiler.Profile): HotFunction[] {
  const selfUs = new Map<number, number>()
  samples?.forEach((id, index) =>
    selfUs.set(id, (selfUs.get(id) ?? 0) + Math.max(0, timeDeltas?.[index] ?? 0)),
  )
  const functions = new Map<string, HotFunction>()
  let busyMs = 0
  for (const { id, callFrame } of nodes) {
    const selfMs = (selfUs.get(id) ?? 0) / 1000
    if (callFrame.functionName === '(idle)' || callFrame.url === ofProfiling) continue
    busyMs += selfMs
    if (selfMs === 0 || notCode.has(callFrame.functionName)) continue
    const name = callFrame.functionName || '(anonymous)'
    const place = callFrame.url === '' ? '' : `${callFrame.url}:${callFrame.lineNumber + 1}`
    const found = functions.get(`${name} ${place}`)
    if (found === undefined) functions.set(`${name} ${place}`, { name, place, selfMs, selfShare: 0 })
    else found.selfMs += selfMs
  }
  return [...functions.values()]
    .toSorted((a, b) => b.selfMs - a.selfMs)
    .slice(0, functionsMax)
    .map((each) => ({ ...each, selfShare: busyMs === 0 ? 0 : each.selfMs / busyMs }))
}
