import { expect, test } from 'vitest'
import { PatternError } from '../pattern.ts'
import { readProfile } from '../read-profile.ts'
import { sample } from '../testing/samples.ts'
import { profileOf } from '../testing/stacks.ts'
import { filterProfile } from './filter-profile.ts'
import { groupByFunctions, groupByLabel, NoSuchLabelError, type Groups } from './group-by.ts'

const draw = ({ rows }: Groups) => rows.map((row) => `${row.name} ${row.selfValue}/${row.totalValue}`)
const all = { order: 'self', limit: 100 } as const

const stacks = profileOf(`
  main;runtime.mallocgc;runtime.gcAssistAlloc;runtime.scanobject 2
  main;runtime.mallocgc;runtime.memclrNoHeapPointers 3
  main;encoding/json.Marshal;visit;runtime.mallocgc 1
  main;encoding/json.Marshal;visit 4
  main 10
`)

test('kinds of work add up to the whole, what is below them included, the innermost kind first', () => {
  const groups = groupByFunctions(stacks, 'category', all)
  expect(draw(groups)).toEqual([
    'Other 10/10',
    'Memory allocation 4/6',
    'Serialization 4/5',
    'Garbage collection 2/2',
  ])
  expect(groups.rows.reduce((sum, { selfPercent }) => sum + selfPercent, 0)).toBeCloseTo(100)
})

test('the evidence of a kind of work is the functions that it was recognised by', () => {
  const evidence = groupByFunctions(stacks, 'category', all).rows.map(({ topFunctions }) => topFunctions)
  expect(evidence).toEqual([[], ['runtime.mallocgc'], ['encoding/json.Marshal'], ['runtime.scanobject']])
})

test.each(['package', 'file', 'origin', 'category'] as const)(
  'by %s, self values of a real profile add up to the whole, and no total is more',
  (by) => {
    const { detail: _, ...profile } = readProfile(sample('pprof/go-cpu.pb.gz'))
    const { rows, coveredPercent } = groupByFunctions(profile, by, all)
    expect(rows.reduce((sum, { selfPercent }) => sum + selfPercent, 0)).toBeCloseTo(100)
    for (const row of rows) {
      expect(row.totalPercent).toBeLessThanOrEqual(100.001)
      expect(row.totalValue).toBeGreaterThanOrEqual(row.selfValue)
    }
    expect(coveredPercent).toBeCloseTo(100)
  },
)

test('groups can be searched, and stacks be left out', () => {
  const found = groupByFunctions(stacks, 'category', { ...all, search: 'alloc|Garbage' })
  expect(draw(found)).toEqual(['Memory allocation 4/6', 'Garbage collection 2/2'])
  // The collection was for an allocation: counted once.
  expect(found.coveredValue).toBe(6)
  expect(draw(groupByFunctions(stacks, 'category', { ...all, focus: 'json' }))).toEqual([
    'Serialization 4/5',
    'Memory allocation 1/1',
  ])
  expect(() => groupByFunctions(stacks, 'origin', { ...all, search: '[' })).toThrow(PatternError)
})

const threads = (name: string, samples: number[][], weights: number[]) => ({
  type: 'sampled',
  name,
  unit: 'milliseconds',
  startValue: 0,
  endValue: weights.reduce((sum, weight) => sum + weight, 0),
  samples,
  weights,
})
const { detail, ...threaded } = readProfile(
  new TextEncoder().encode(
    JSON.stringify({
      shared: { frames: [{ name: 'main' }, { name: 'parse' }, { name: 'read' }] },
      profiles: [threads('first', [[0, 1], [0]], [3, 2]), threads('second', [[0, 2]], [7])],
    }),
  ),
)

test('values of a label, of the stacks and times that are asked for', () => {
  expect(draw(groupByLabel(threaded, detail, 'thread', all))).toEqual(['second 7/7', 'first 5/5'])
  expect(draw(groupByLabel(threaded, detail, 'thread', { ...all, focus: 'parse' }))).toEqual(['first 3/3'])
  const filter = { fromMs: 0, toMs: 3 }
  const late = groupByLabel(filterProfile(threaded, detail, filter), detail, 'thread', { ...all, filter })
  expect(draw(late)).toEqual(['second 7/7', 'first 3/3'])
  expect(late.rows[1]?.selfPercent).toBe(30)
  expect(() => groupByLabel(threaded, detail, 'tenant', all)).toThrow(NoSuchLabelError)
})
