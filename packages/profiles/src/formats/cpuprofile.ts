import { CallTreeBuilder } from '../call-tree-builder.ts'
import { FunctionInterner, toLine } from '../function-interner.ts'
import type { Profile } from '../profile.ts'
import { JsonReader, isObject, type JsonObject } from './json.ts'
import { internCallFrame, internFlatFrame } from './v8-call-frame.ts'

const samplesType = 0
const wallType = 1
const cpuType = 2

/**
 * Reads a V8 CPU profile (`node --cpu-prof`, Chrome DevTools), already parsed.
 * https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-Profile
 *
 * Sample types: `samples` (count), `wall` (nanoseconds) and, by default, `cpu` (nanoseconds).
 * - A sample lasts until the next one, the last until `endTime`; the time before the first sample is nobody's.
 *   V8 sometimes writes a time before the last one: such a sample lasts 0, and the clock does not go back.
 * - `(idle)` stays in the tree and counts as `wall`, but not as `cpu`: a server that waits would otherwise
 *   seem to spend its time there. `(program)` and `(garbage collector)` are work and count as both.
 */
export function readCpuProfile(document: JsonObject, options: { maxNodes?: number }): Profile {
  const json = new JsonReader('cpuprofile')
  const tree = Array.isArray(document.nodes) ? nodesFromList(json, document) : nodesFromHead(json, document)
  const functions = new FunctionInterner()
  const builder = new CallTreeBuilder({
    sampleTypeCount: 3,
    maxNodes: options.maxNodes,
    format: 'cpuprofile',
  })
  const idleFunctionIndexes = new Set<number>()

  // V8 node to our node. The list is in parent-first order, so the parent has been placed.
  const placed = new Map<number, number>()
  const isIdle = new Set<number>()
  for (const { id, parentId, node, path } of tree) {
    if (parentId === undefined) {
      placed.set(id, 0)
      continue
    }
    const functionIndex = isObject(node.callFrame)
      ? internCallFrame(functions, json, node.callFrame, `${path}.callFrame`)
      : internFlatFrame(functions, json, node, path)
    const placedNode = builder.child(placed.get(parentId)!, functionIndex, hottestLine(node))
    placed.set(id, placedNode)
    if (
      node.functionName === '(idle)' ||
      (isObject(node.callFrame) && node.callFrame.functionName === '(idle)')
    ) {
      idleFunctionIndexes.add(functionIndex)
      isIdle.add(id)
    }
  }

  const addSample = (id: number, count: number, nanoseconds: number) => {
    const node = placed.get(id)!
    builder.add(node, samplesType, count)
    builder.add(node, wallType, nanoseconds)
    if (!isIdle.has(id)) builder.add(node, cpuType, nanoseconds)
  }

  const warnings: string[] = []
  const startTime =
    document.startTime === undefined ? undefined : json.number(document.startTime, '$.startTime')
  const endTime = document.endTime === undefined ? undefined : json.number(document.endTime, '$.endTime')
  let sampleCount = 0
  let durationUs: number | undefined
  if (Array.isArray(document.samples) && document.samples.length > 0) {
    const ids = json.numbers(document.samples, '$.samples')
    const times = sampleTimes(json, document, ids.length)
    sampleCount = ids.length
    const lastTime = times[times.length - 1]!
    // Old files give the times of samples in microseconds, but startTime and endTime in seconds.
    const end =
      document.timestamps === undefined && endTime !== undefined ? Math.max(endTime, lastTime) : lastTime
    for (let index = 0; index < ids.length; index++) {
      if (!placed.has(ids[index]!))
        json.fail(`sample of an unknown node ${ids[index]}`, `$.samples[${index}]`)
      addSample(ids[index]!, 1, ((times[index + 1] ?? end) - times[index]!) * 1000)
    }
    const begin = document.timestamps === undefined && startTime !== undefined ? startTime : times[0]!
    durationUs = Math.max(0, end - begin)
  } else {
    // Without samples there are only the hit counts of nodes; they share the duration evenly.
    const hits = tree.map(({ node, path }) =>
      node.hitCount === undefined ? 0 : json.number(node.hitCount, `${path}.hitCount`),
    )
    sampleCount = hits.reduce((sum, count) => sum + count, 0)
    if (sampleCount <= 0) json.fail('the profile holds no samples', '$.samples')
    durationUs = Math.max(0, (endTime ?? 0) - (startTime ?? 0))
    const nanosecondsPerHit = (durationUs * 1000) / sampleCount
    for (const [index, { id }] of tree.entries())
      addSample(id, hits[index]!, hits[index]! * nanosecondsPerHit)
    warnings.push('The file has hit counts but no samples: times are the duration shared by hit count.')
  }
  if (idleFunctionIndexes.size > 0) warnings.push('Idle time counts as wall time, not as CPU time.')

  return {
    format: 'cpuprofile',
    sampleTypes: [
      { type: 'samples', unit: 'count' },
      { type: 'wall', unit: 'nanoseconds' },
      { type: 'cpu', unit: 'nanoseconds' },
    ],
    defaultSampleTypeIndex: cpuType,
    durationMs: durationUs / 1000,
    sampleCount,
    functions: functions.finish(),
    ...builder.finish(),
    labels: [],
    threads: [],
    warnings,
  }
}

/** A node of the file with the id of its caller, listed after its caller. Roots have no caller. */
interface V8Node {
  id: number
  parentId: number | undefined
  node: JsonObject
  path: string
}

/** `nodes` as a list, with `children` ids (V8) or a `parent` id (Chrome's trace events). */
function nodesFromList(json: JsonReader, document: JsonObject): V8Node[] {
  const list = json.array(document.nodes, '$.nodes').map((value, index) => {
    const node = json.object(value, `$.nodes[${index}]`)
    return { id: json.number(node.id, `$.nodes[${index}].id`), node, path: `$.nodes[${index}]` }
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
function nodesFromHead(json: JsonReader, document: JsonObject): V8Node[] {
  const ordered: V8Node[] = []
  const ids = new Set<number>()
  const place = (value: unknown, parentId: number | undefined, path: string) => {
    const node = json.object(value, path)
    const id = json.number(node.id, `${path}.id`)
    if (ids.has(id)) json.fail(`node id ${id} is there twice`, `${path}.id`)
    ids.add(id)
    ordered.push({ id, parentId, node, path: `node ${id}` })
  }
  place(document.head, undefined, '$.head')
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
function sampleTimes(json: JsonReader, document: JsonObject, sampleCount: number): Float64Array {
  const isRelative = document.timestamps === undefined
  const name = isRelative ? 'timeDeltas' : 'timestamps'
  const all = json.numbers(document[name], `$.${name}`)
  // Old files have one more time than samples.
  const times = isRelative ? all : all.slice(0, sampleCount)
  if (times.length !== sampleCount) json.fail(`${all.length} times for ${sampleCount} samples`, `$.${name}`)
  let clock =
    isRelative && document.startTime !== undefined ? json.number(document.startTime, '$.startTime') : 0
  let latest = -Infinity
  for (let index = 0; index < times.length; index++) {
    clock = isRelative ? clock + times[index]! : times[index]!
    latest = Math.max(latest, clock)
    times[index] = latest
  }
  return times
}

/** The line with most ticks: `positionTicks: [{ line (1-based), ticks }]`. */
function hottestLine(node: JsonObject): number {
  let hottest = { line: 0, ticks: 0 }
  for (const entry of Array.isArray(node.positionTicks) ? node.positionTicks : []) {
    if (!isObject(entry) || typeof entry.line !== 'number' || typeof entry.ticks !== 'number') continue
    if (entry.ticks > hottest.ticks) hottest = { line: entry.line, ticks: entry.ticks }
  }
  return toLine(hottest.line)
}
