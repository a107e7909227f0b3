import { isObject, plainNumber, type JsonObject, type JsonReader } from './json.ts'
import { threadIdsOf, type ThreadIds } from './trace-event-threads.ts'

/** A V8 profile that was put together from its events. */
interface TraceCpuProfile {
  /** As in a `.cpuprofile`. */
  document: JsonObject
  thread: ThreadIds
  startUs: number
  /** Per sample, the 1-based line where it was; 0 when not known. */
  lines: number[]
  /** Where in the file it began. */
  at: string
}

interface Parts extends TraceCpuProfile {
  document: {
    nodes: unknown[]
    samples: unknown[]
    timeDeltas: unknown[]
    startTime?: unknown
    endTime?: unknown
  }
  chunks: { data: JsonObject; time: number }[]
}

export function isCpuProfileEvent({ name }: JsonObject): boolean {
  return name === 'Profile' || name === 'ProfileChunk' || name === 'CpuProfile'
}

/**
 * V8's CPU profiles in a trace: whole in a `CpuProfile` event (Chrome before 67), or begun by `Profile`, in the thread that is
 * profiled, and continued by `ProfileChunk`s of the same process and id, from any thread. Chunks may be out of order; nodes
 * of a later one have parents in earlier ones.
 */
export class CpuProfiles {
  private readonly json: JsonReader
  private readonly profiles = new Map<string, Parts>()
  private readonly chunks: { event: JsonObject; data: JsonObject; time: number }[] = []

  constructor(json: JsonReader) {
    this.json = json
  }

  add(event: JsonObject, path: string): void {
    const data = isObject(event.args) ? event.args.data : undefined
    // Recordings that were saved without their contents have events without data.
    if (!isObject(data)) return
    if (event.name === 'CpuProfile') {
      if (isObject(data.cpuProfile)) this.begin(event, data.cpuProfile, path, { isWhole: true })
    } else if (event.name === 'Profile') this.begin(event, data, path, { isWhole: false })
    else this.chunks.push({ event, data, time: plainNumber(event.ts) })
  }

  /** Those with samples; where two overlap in a thread, only the larger one. */
  finish(warnings: string[]): TraceCpuProfile[] {
    let lostChunks = 0
    for (const { event, data, time } of this.chunks) {
      const profile = this.profiles.get(keyOf(event))
      if (profile === undefined) lostChunks++
      else profile.chunks.push({ data, time })
    }
    for (const profile of this.profiles.values()) {
      for (const { data } of profile.chunks.toSorted((a, b) => a.time - b.time)) addChunk(profile, data)
    }
    if (lostChunks > 0)
      warnings.push(`${lostChunks} parts of CPU profiles were left out: their beginnings are missing.`)
    const profiles = this.withoutOverlaps(warnings)
    let orphanCount = 0
    for (const { document } of profiles) orphanCount += giveRootToOrphans(document)
    if (orphanCount > 0) {
      warnings.push(
        `Parts of CPU profiles are missing: ${orphanCount} functions and samples whose callers were in them begin at the root.`,
      )
    }
    return profiles
  }

  private begin(event: JsonObject, data: JsonObject, path: string, { isWhole }: { isWhole: boolean }): void {
    const at = `${path}.args.data${isWhole ? '.cpuProfile' : ''}`
    const list = (name: string) =>
      data[name] === undefined ? [] : [...this.json.array(data[name], `${at}.${name}`)]
    const startUs = this.json.number(data.startTime ?? event.ts, `${at}.startTime`)
    this.profiles.set(keyOf(event), {
      document: {
        nodes: list('nodes'),
        samples: list('samples'),
        timeDeltas: list('timeDeltas'),
        startTime: startUs,
        endTime: data.endTime,
      },
      thread: threadIdsOf(event),
      startUs,
      lines: [],
      at,
      chunks: [],
    })
  }

  private withoutOverlaps(warnings: string[]): Parts[] {
    const byStart = [...this.profiles.values()]
      .filter(({ document }) => document.samples.length > 0)
      .toSorted((a, b) => a.startUs - b.startUs)
    const kept: Parts[] = []
    /** Per thread, the last one that was kept: its place among them, and when it ends. */
    const last = new Map<string, { index: number; endUs: number }>()
    let overlapping = 0
    for (const profile of byStart) {
      const { document, thread, startUs, at } = profile
      const deltas = this.json.numbers(document.timeDeltas, `${at}.timeDeltas`)
      const endUs = deltas.reduce((time, delta) => time + delta, startUs)
      const key = `${thread.pid} ${thread.tid}`
      const before = last.get(key)
      if (before === undefined || before.endUs <= startUs)
        last.set(key, { index: kept.push(profile) - 1, endUs })
      else {
        overlapping++
        if (kept[before.index]!.document.samples.length >= document.samples.length) continue
        kept[before.index] = profile
        before.endUs = endUs
      }
    }
    if (overlapping > 0)
      warnings.push(`${overlapping} CPU profiles were left out: another profiler ran in their threads, too.`)
    return kept
  }
}

/**
 * A recording in which events were lost has nodes whose caller is not there, and samples of such nodes: they are put below a
 * root, and at it. Gives how many there were.
 */
function giveRootToOrphans(document: Parts['document']): number {
  const ids = new Set<unknown>()
  let rootId = 1
  for (const node of document.nodes) {
    if (!isObject(node)) continue
    ids.add(node.id)
    if (typeof node.id === 'number' && node.id >= rootId) rootId = node.id + 1
  }
  let orphanCount = 0
  const callerOf = (node: unknown) => {
    if (!isObject(node) || node.parent === undefined || ids.has(node.parent)) return node
    orphanCount++
    return { ...node, parent: rootId }
  }
  document.nodes = document.nodes.map((node) => callerOf(node))
  document.samples = document.samples.map((id) => {
    if (ids.has(id)) return id
    orphanCount++
    return rootId
  })
  if (orphanCount > 0) document.nodes.unshift({ id: rootId, functionName: '(root)' })
  return orphanCount
}

/** Ids are of a process. */
function keyOf(event: JsonObject): string {
  const { pid, tid } = threadIdsOf(event)
  return typeof event.id === 'string' ? `${pid} id ${event.id}` : `${pid} ${tid}`
}

/** `{ cpuProfile: { nodes, samples }, timeDeltas, lines, startTime?, endTime? }`, all optional. */
function addChunk({ document, lines }: Parts, data: JsonObject): void {
  const { nodes, samples } = isObject(data.cpuProfile) ? data.cpuProfile : {}
  append(document.nodes, nodes)
  append(document.samples, samples)
  append(document.timeDeltas, data.timeDeltas)
  if (data.endTime !== undefined) document.endTime = data.endTime
  const known = Array.isArray(data.lines) ? data.lines : []
  while (lines.length < document.samples.length) {
    const line: unknown = known[lines.length - document.samples.length + lengthOf(samples)]
    lines.push(typeof line === 'number' ? line : 0)
  }
}

function append(to: unknown[], list: unknown): void {
  if (Array.isArray(list)) for (const element of list) to.push(element)
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}
