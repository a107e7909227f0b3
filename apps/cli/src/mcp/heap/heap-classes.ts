import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { McpInside } from '@flamegate/mcp-profiling'
import { noticedGrowth } from '../inside/noticed-growth.ts'
import {
  compareHeapClasses,
  heapClasses,
  readProfile,
  retainingPaths,
  type HeapGraph,
  type RetainerStep,
  type RetainingPath,
} from '@flamegate/profiles'

type HeapClasses = NonNullable<McpInside['classes']>

/** Of rows in a report. */
const rowsMax = 50
/** Of the largest growth: less than this comes and goes in every program. */
const noticedShare = 0.001
/** Ways from a root are looked for to objects of so many classes: that takes a pass over the heap. */
const explainedMax = 15
/** So many objects of a class are asked about. */
const askedMax = 20
/** Of one such way, from the object on. */
const stepsMax = 6

/**
 * The classes of a series of heap snapshots, in the order of time. With `isCompared` those that grew from the first to the last
 * come first, and it is told who keeps what is new; else the largest. One snapshot at a time is in memory, and the first.
 */
export async function heapClassesOf(
  files: readonly string[],
  isCompared: boolean,
): Promise<Pick<McpInside, 'growth'> & { classes: HeapClasses }> {
  const [firstFile] = files
  if (firstFile === undefined) return { growth: [], classes: [] }
  const first = await readSnapshot(firstFile)
  const series = [classRows(first)]
  let last = first
  for (const file of files.slice(1)) {
    last = await readSnapshot(file)
    series.push(classRows(last))
  }
  const names = new Set(series.flatMap((rows) => [...rows.keys()]))
  const columnOf = (name: string, of: 'objectCount' | 'shallowSize' | 'retainedSize') =>
    series.map((rows) => rows.get(name)?.[of] ?? 0)
  const sizeOf = (name: string) => series.at(-1)?.get(name)?.shallowSize ?? 0
  const growthOf = (name: string) => sizeOf(name) - (series[0]?.get(name)?.shallowSize ?? 0)
  const order = isCompared ? growthOf : sizeOf
  const noticed = noticedShare * Math.max(...[...names].map(order))
  const classes = [...names]
    .filter((name) => order(name) > Math.max(0, noticed))
    .toSorted((a, b) => order(b) - order(a) || (a < b ? -1 : 1))
    .slice(0, rowsMax)
    .map((name) => ({
      name,
      objects: columnOf(name, 'objectCount'),
      shallowBytes: columnOf(name, 'shallowSize'),
      retainedBytes: columnOf(name, 'retainedSize'),
    }))
  return { classes, growth: isCompared && files.length > 1 ? growthBetween(first, last) : [] }
}

function classRows(graph: HeapGraph) {
  return new Map(heapClasses(graph).map((row) => [row.name, row]))
}

function growthBetween(first: HeapGraph, last: HeapGraph): McpInside['growth'] {
  const grown = noticedGrowth(
    compareHeapClasses(last, first).map((row) => ({
      name: row.name,
      place: '',
      bytes: row.shallowSize - row.baseline.shallowSize,
      count: row.objectCount - row.baseline.objectCount,
    })),
  )
  const holders = holdersOf(
    first,
    last,
    grown.slice(0, explainedMax).map(({ name }) => name),
  )
  return grown.map((row) => ({ ...row, place: holders.get(row.name) ?? '' }))
}

/** For each class who keeps its new objects: what is said most often of some of them. */
function holdersOf(first: HeapGraph, last: HeapGraph, names: readonly string[]): ReadonlyMap<string, string> {
  const known = new Set(first.nodes.ids)
  const { classes, nodes } = last
  const added = new Map<number, number[]>(names.map((name) => [classes.names.indexOf(name), []]))
  for (let node = 0; node < nodes.ids.length; node++) {
    if (nodes.selfSizes[node] === 0 || known.has(nodes.ids[node] ?? 0)) continue
    added.get(classes.indexes[node] ?? -1)?.push(node)
  }
  const asked = [...added.values()].map((all) => {
    const step = Math.max(1, Math.floor(all.length / askedMax))
    return all.filter((_node, index) => index % step === 0).slice(0, askedMax)
  })
  const answers = retainingPaths(last, asked.flat(), 1)
  const holders = new Map<string, string>()
  for (const [at, name] of names.entries()) {
    const own = answers.splice(0, asked[at]?.length ?? 0)
    const ways = own.flatMap(({ paths: [shortest] }) => (shortest === undefined ? [] : [wayOf(shortest)]))
    const most = mostFrequent(ways)
    if (most !== undefined) holders.set(name, most)
  }
  return holders
}

function mostFrequent(words: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

/** `[] of Array < .hits of Object < [] of Array < variable searches`: from the object outwards, to what the program calls it. */
function wayOf({ steps }: RetainingPath): string {
  const variable = steps.findIndex(({ edgeType }) => edgeType === 'context')
  const told = variable === -1 ? steps : steps.slice(0, variable + 1)
  const words = told
    .map(stepWords)
    // Parts of a text hold each other.
    .filter((word, index, all) => word !== all[index - 1])
  return [...words.slice(0, stepsMax), ...(words.length > stepsMax ? ['…'] : [])].join(' < ')
}

function stepWords({ edgeType, edgeName, holder }: RetainerStep): string {
  switch (edgeType) {
    case 'context':
      return `variable ${edgeName}`
    case 'element':
    case 'hidden':
      return `[] of ${holder.name}`
    case 'property':
      return `.${edgeName} of ${holder.name}`
    default:
      return `${edgeName} of ${holder.name}`
  }
}

async function readSnapshot(file: string): Promise<HeapGraph> {
  const { heapGraph } = readProfile(await readFile(file), { format: 'heapsnapshot' })
  if (heapGraph === undefined) throw new TypeError(`${path.basename(file)} is a heap snapshot`)
  return heapGraph
}
