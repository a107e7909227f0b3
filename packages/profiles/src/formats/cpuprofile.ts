import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile, SampleType } from '../profile.ts'
import { ScriptFunctions, type ScriptFrame } from '../symbols/script-functions.ts'
import type { SourceMaps } from '../symbols/source-maps.ts'
import { JsonReader, isObject, type JsonObject } from './json.ts'
import { readCallFrame, readFlatFrame } from './v8-call-frame.ts'

/**
 * A V8 CPU profile (`node --cpu-prof`, Chrome DevTools).
 * https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-Profile
 *
 * Sample types: `samples` (count), `wall` (nanoseconds) and, by default, `cpu` (nanoseconds).
 * - A sample lasts until the next one, the last until `endTime`; the time before the first sample is nobody's.
 *   V8 sometimes writes a time before the last one: such a sample lasts 0, and the clock does not go back.
 * - `(idle)` stays in the tree and counts as `wall`, but not as `cpu`: a server that waits would otherwise
 *   seem to spend its time there. `(program)` and `(garbage collector)` are work and count as both.
 * - Functions and lines are those of source maps, where there are some.
 * - Lines are told by `positionTicks`: what a function has itself is shared out by them. From which line it called another
 *   one, V8 does not tell.
 */
export const cpuprofile: Importer = {
  format: 'cpuprofile',
  recognizes({ jsonObject }) {
    if (jsonObject === undefined) return false
    if (isObject(jsonObject.head)) return true
    // A heap snapshot has `nodes`, too, but they are numbers.
    return Array.isArray(jsonObject.nodes) && isObject(jsonObject.nodes[0]) && 'endTime' in jsonObject
  },
  read: (file, options) => readCpuProfile(file.needJsonObject('cpuprofile'), options),
}

function readCpuProfile(document: JsonObject, { maxNodes, sourceMaps }: ImportOptions): ImportedProfile {
  const builder = new ProfileBuilder({
    format: 'cpuprofile',
    sampleTypes: cpuSampleTypes.map((sampleType) => ({ ...sampleType })),
    defaultSampleTypeIndex: cpuType,
    maxNodes,
  })
  const json = new JsonReader('cpuprofile')
  const { sampleCount, durationUs, warnings } = addCpuProfile(builder, json, document, {
    sourceMaps,
  })
  return builder.finish({ durationMs: durationUs / 1000, sampleCount, warnings })
}

/** `samples`, `wall` and `cpu`: what `addCpuProfile` gives values of, in this order. */
export const cpuSampleTypes: readonly SampleType[] = [
  { type: 'samples', unit: 'count' },
  { type: 'wall', unit: 'nanoseconds' },
  { type: 'cpu', unit: 'nanoseconds' },
]
export const cpuType = 2

/** What other formats, which hold such profiles as a part, have to say of one. */
export interface CpuProfilePart {
  /** Where in the file it is. */
  path: string
  labelSet: number
  /** Where the clock of the file starts, in microseconds of the profile's clock. */
  originUs: number
  /** Sample types of the builder; those after the three of `cpuSampleTypes` get 0. */
  sampleTypeCount: number
  /** Per sample, the 1-based line where its innermost function was; 0 when not known. */
  lines: ArrayLike<number>
  sourceMaps: SourceMaps | undefined
}

/** Adds the profile of an object that a file holds, or that came as a part of another one. */
export function addCpuProfile(
  builder: ProfileBuilder,
  json: JsonReader,
  document: JsonObject,
  part: Partial<CpuProfilePart> = {},
): { sampleCount: number; durationUs: number; warnings: string[] } {
  const { path: at = '$', labelSet, sampleTypeCount = cpuSampleTypes.length } = part
  const tree = Array.isArray(document.nodes)
    ? nodesFromList(json, document, at)
    : nodesFromHead(json, document, at)

  const scripts = new ScriptFunctions(builder.functions, part.sourceMaps)
  // By V8 node; only source maps ask for them again.
  const frames = new Map<number, ScriptFrame>()
  // V8 node to our node. The list is in parent-first order, so the parent has been placed.
  const placed = new Map<number, number>()
  const isIdle = new Set<number>()
  for (const { id, parentId, node, path } of tree) {
    if (parentId === undefined) {
      placed.set(id, 0)
      continue
    }
    const frame = isObject(node.callFrame)
      ? readCallFrame(json, node.callFrame, `${path}.callFrame`)
      : readFlatFrame(json, node, path)
    const line = scripts.lineIn(frame, hottestLine(node))
    placed.set(id, builder.child(placed.get(parentId)!, scripts.intern(frame), line))
    if (scripts.hasSourceMaps) frames.set(id, frame)
    if (
      node.functionName === '(idle)' ||
      (isObject(node.callFrame) && node.callFrame.functionName === '(idle)')
    ) {
      isIdle.add(id)
    }
  }

  const selfOf = new Map<number, number[]>()
  const addSample = (id: number, count: number, nanoseconds: number, timeMs?: number, line = 0) => {
    const cpu = isIdle.has(id) ? 0 : nanoseconds
    const values = [count, nanoseconds, cpu]
    while (values.length < sampleTypeCount) values.push(0)
    builder.add(placed.get(id)!, values, { sampleCount: count, timeMs, labelSet })
    if (line > 0) builder.addLine(placed.get(id)!, scripts.lineIn(frames.get(id), line), values, values)
    const self = selfOf.get(id)
    if (self === undefined) selfOf.set(id, values)
    else for (const [type, value] of values.entries()) self[type]! += value
  }

  const warnings: string[] = []
  const startTime =
    document.startTime === undefined ? undefined : json.number(document.startTime, `${at}.startTime`)
  const endTime = document.endTime === undefined ? undefined : json.number(document.endTime, `${at}.endTime`)
  let sampleCount = 0
  let durationUs: number
  if (Array.isArray(document.samples) && document.samples.length > 0) {
    const ids = json.numbers(document.samples, `${at}.samples`)
    const times = sampleTimes(json, document, ids.length, at)
    sampleCount = ids.length
    const lastTime = times[times.length - 1]!
    // Old files give the times of samples in microseconds, but startTime and endTime in seconds.
    const end =
      document.timestamps === undefined && endTime !== undefined ? Math.max(endTime, lastTime) : lastTime
    const begin = document.timestamps === undefined && startTime !== undefined ? startTime : times[0]!
    const { originUs = begin, lines } = part
    for (let index = 0; index < ids.length; index++) {
      if (!placed.has(ids[index]!))
        json.fail(`sample of an unknown node ${ids[index]}`, `${at}.samples[${index}]`)
      addSample(
        ids[index]!,
        1,
        ((times[index + 1] ?? end) - times[index]!) * 1000,
        (times[index]! - originUs) / 1000,
        lines?.[index],
      )
    }
    durationUs = Math.max(0, end - begin)
  } else {
    // Without samples there are only the hit counts of nodes; they share the duration evenly.
    const hits = tree.map(({ node, path }) =>
      node.hitCount === undefined ? 0 : json.number(node.hitCount, `${path}.hitCount`),
    )
    sampleCount = hits.reduce((sum, count) => sum + count, 0)
    if (sampleCount <= 0) json.fail('the profile holds no samples', `${at}.samples`)
    durationUs = Math.max(0, (endTime ?? 0) - (startTime ?? 0))
    const nanosecondsPerHit = (durationUs * 1000) / sampleCount
    for (const [index, { id }] of tree.entries())
      addSample(id, hits[index]!, hits[index]! * nanosecondsPerHit)
    warnings.push('The file has hit counts but no samples: times are the duration shared by hit count.')
  }
  for (const { id, node } of tree) {
    const self = selfOf.get(id)
    const ownNode = placed.get(id)!
    if (self === undefined || ownNode === 0) continue
    for (const { line, values } of sharesByLine(node, self))
      builder.addLine(ownNode, scripts.lineIn(frames.get(id), line), values, values)
  }
  if (isIdle.size > 0) warnings.push('Idle time counts as wall time, not as CPU time.')
  return { sampleCount, durationUs, warnings }
}

/** A node of the file with the id of its caller, listed after its caller. Roots have no caller. */
interface V8Node {
  id: number
  parentId: number | undefined
  node: JsonObject
  path: string
}

/** `nodes` as a list, with `children` ids (V8) or a `parent` id (Chrome's trace events). */
function nodesFromList(json: JsonReader, document: JsonObject, at: string): V8Node[] {
  const list = json.array(document.nodes, `${at}.nodes`).map((value, index) => {
    const path = `${at}.nodes[${index}]`
    const node = json.object(value, path)
    return { id: json.number(node.id, `${path}.id`), node, path }
  })
  const byId = new Map<number, (typeof list)[number]>()
  for (const entry of list) {
    if (byId.has(entry.id)) json.fail(`node id ${entry.id} is there twice`, `${entry.path}.id`)
    byId.set(entry.id, entry)
  }

  const parentOf = new Map<number, number>()
  const childrenOf = new Map<number, number[]>()
  const link = (parentId: number, childId: number, path: string) => {
    if (!byId.has(parentId)) json.fail(`no node has the id ${parentId}`, path)
    if (!byId.has(childId)) json.fail(`no node has the id ${childId}`, path)
    const known = parentOf.get(childId)
    if (known === parentId) return
    if (known !== undefined) json.fail(`node ${childId} has two parents`, path)
    parentOf.set(childId, parentId)
    const children = childrenOf.get(parentId)
    if (children) children.push(childId)
    else childrenOf.set(parentId, [childId])
  }
  for (const { id, node, path } of list) {
    if (node.parent !== undefined) link(json.number(node.parent, `${path}.parent`), id, `${path}.parent`)
    if (node.children === undefined) continue
    for (const [index, child] of json.array(node.children, `${path}.children`).entries()) {
      const childPath = `${path}.children[${index}]`
      link(id, json.number(child, childPath), childPath)
    }
  }

  const ordered = list
    .filter((entry) => !parentOf.has(entry.id))
    .map((entry): V8Node => ({ ...entry, parentId: undefined }))
  for (let index = 0; index < ordered.length; index++) {
    const parentId = ordered[index]!.id
    for (const child of childrenOf.get(parentId) ?? []) ordered.push({ ...byId.get(child)!, parentId })
  }
  if (ordered.length < list.length) {
    const reached = new Set(ordered.map(({ id }) => id))
    const lost = list.find(({ id }) => !reached.has(id))!
    json.fail(`node ${lost.id} is its own caller: the nodes form a cycle`, lost.path)
  }
  return ordered
}

/** `head` with nested `children`: what Node wrote before version 12. */
function nodesFromHead(json: JsonReader, document: JsonObject, at: string): V8Node[] {
  const ordered: V8Node[] = []
  const ids = new Set<number>()
  const place = (value: unknown, parentId: number | undefined, path: string) => {
    const node = json.object(value, path)
    const id = json.number(node.id, `${path}.id`)
    if (ids.has(id)) json.fail(`node id ${id} is there twice`, `${path}.id`)
    ids.add(id)
    ordered.push({ id, parentId, node, path: `node ${id}` })
  }
  place(document.head, undefined, `${at}.head`)
  for (let index = 0; index < ordered.length; index++) {
    const { id, node, path } = ordered[index]!
    if (node.children === undefined) continue
    for (const [child, value] of json.array(node.children, `${path}.children`).entries()) {
      place(value, id, `${path}.children[${child}]`)
    }
  }
  return ordered
}

/** When each sample was taken, in microseconds, never going back. */
function sampleTimes(json: JsonReader, document: JsonObject, sampleCount: number, at: string): Float64Array {
  const isRelative = document.timestamps === undefined
  const name = isRelative ? 'timeDeltas' : 'timestamps'
  const all = json.numbers(document[name], `${at}.${name}`)
  // Old files have one more time than samples.
  const times = isRelative ? all : all.slice(0, sampleCount)
  if (times.length !== sampleCount)
    json.fail(`${all.length} times for ${sampleCount} samples`, `${at}.${name}`)
  let clock =
    isRelative && document.startTime !== undefined ? json.number(document.startTime, `${at}.startTime`) : 0
  let latest = -Infinity
  for (let index = 0; index < times.length; index++) {
    clock = isRelative ? clock + times[index]! : times[index]!
    latest = Math.max(latest, clock)
    times[index] = latest
  }
  return times
}

/** The line with most ticks. */
function hottestLine(node: JsonObject): number {
  let hottest = { line: 0, ticks: 0 }
  for (const tick of positionTicks(node)) if (tick.ticks > hottest.ticks) hottest = tick
  return hottest.line
}

/** What of a node's own values is at each line, by its ticks there. */
function sharesByLine(node: JsonObject, self: readonly number[]): { line: number; values: number[] }[] {
  const ticks = positionTicks(node)
  const sum = ticks.reduce((so, tick) => so + tick.ticks, 0)
  return ticks.map((tick) => ({
    line: tick.line,
    values: self.map((value) => (value * tick.ticks) / sum),
  }))
}

/** `positionTicks: [{ line (1-based), ticks }]`, without what is none. */
function positionTicks(node: JsonObject): { line: number; ticks: number }[] {
  if (!Array.isArray(node.positionTicks)) return []
  return node.positionTicks.flatMap((entry: unknown) => {
    if (!isObject(entry) || typeof entry.line !== 'number' || typeof entry.ticks !== 'number') return []
    return entry.ticks > 0 && Number.isFinite(entry.ticks) ? { line: entry.line, ticks: entry.ticks } : []
  })
}
