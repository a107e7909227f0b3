import { expect, test } from 'vitest'
import type { LineValues } from '../profile-detail.ts'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'
import { CannotFilterError, filterProfile } from './filter-profile.ts'

const stacks = (name: string, samples: number[][], weights: number[]) => ({
  type: 'sampled',
  name,
  unit: 'milliseconds',
  startValue: 0,
  endValue: weights.reduce((sum, weight) => sum + weight, 0),
  samples,
  weights,
})
const file = {
  shared: { frames: [{ name: 'main' }, { name: 'parse' }, { name: 'read' }] },
  profiles: [stacks('first', [[0, 1], [0]], [3, 2]), stacks('second', [[0, 2]], [7])],
}
const { detail, ...profile } = readProfile(new TextEncoder().encode(JSON.stringify(file)))

test('only the samples of one thread are left', () => {
  const labels = new Map([['thread', 'first']])
  expect(drawTree(filterProfile(profile, detail, { labels }))).toEqual([
    'main 5/2',
    '  parse 3/3',
    '  read 0/0',
  ])
  expect(drawTree(profile)).toEqual(['main 12/2', '  parse 3/3', '  read 7/7'])
})

test('only the samples of some time are left, from its start up to and without its end', () => {
  const between = filterProfile(profile, detail, { fromMs: 0, toMs: 3 })
  expect(drawTree(between)).toEqual(['main 10/0', '  parse 3/3', '  read 7/7'])
  expect(between.sampleCount).toBe(2)
  const late = filterProfile(profile, detail, { fromMs: 3, labels: new Map([['thread', 'first']]) })
  expect(drawTree(late)).toEqual(['main 2/2', '  parse 0/0', '  read 0/0'])
})

test('a label that no sample has leaves nothing', () => {
  const none = filterProfile(profile, detail, { labels: new Map([['thread', 'third']]) })
  expect(none.selfValues[0]?.every((value) => value === 0)).toBe(true)
})

test('what a format does not tell cannot be asked for', () => {
  const { detail: told, ...heap } = readProfile(sample('heapprofile/node.heapprofile'))
  expect(() => filterProfile(heap, told, { fromMs: 1 })).toThrow(
    new CannotFilterError('its samples have no times'),
  )
  expect(() => filterProfile(heap, told, { labels: new Map([['thread', 'a']]) })).toThrow('no labels')
})

const byDetail = ['pprof/go-heap.pb.gz', 'pprof/go-cpu.pb.gz', 'cpuprofile/node.cpuprofile']

test.each(byDetail)('values by label set, time and line in %s add up to those of nodes', (path) => {
  const whole = readProfile(sample(path))
  const { labelled, timeline, lines } = whole.detail!
  const ownOf = (type: number, rows: Int32Array) =>
    whole.selfValues[type]!.map((value, node) => (rows.includes(node) ? value : 0))
  const sumsOf = (nodes: Int32Array, values: Float64Array) => {
    const sum = new Float64Array(whole.nodes.parents.length)
    for (const [row, node] of nodes.entries()) sum[node]! += values[row]!
    return sum
  }
  const pairs: [expected: Float64Array, seen: Float64Array][] = whole.sampleTypes.flatMap((_, type) => [
    ...(labelled ? [pair(whole.selfValues[type]!, sumsOf(labelled.nodes, labelled.values[type]!))] : []),
    ...(lines ? [pair(ownOf(type, withSelf(lines)), sumsOf(lines.nodes, lines.selfValues[type]!))] : []),
  ])
  if (timeline !== undefined) {
    pairs.push([whole.selfValues[whole.defaultSampleTypeIndex]!, sumsOf(timeline.nodes, timeline.values)])
  }
  expect(pairs.length).toBeGreaterThan(0)
  for (const [expected, seen] of pairs) {
    const error = expected.map((value, node) => Math.abs(value - seen[node]!))
    expect(Math.max(...error) / Math.max(...expected)).toBeLessThan(1e-9)
  }
})

function pair(expected: Float64Array, seen: Float64Array): [Float64Array, Float64Array] {
  return [expected, seen]
}

/** Nodes whose own lines are told. */
function withSelf({ nodes, selfValues }: LineValues): Int32Array {
  return nodes.filter((_, row) => selfValues.some((column) => column[row] !== 0))
}
