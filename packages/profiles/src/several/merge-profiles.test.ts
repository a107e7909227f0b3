import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'
import { profileOf } from '../testing/stacks.ts'
import { writePprof } from '../testing/write-pprof.ts'
import { CannotMergeError, mergeProfiles } from './merge-profiles.ts'

test('stacks that are the same become one, with what they have together', () => {
  const merged = mergeProfiles([
    profileOf('main;parse 2\nmain;render 1'),
    profileOf('main;render 4\nmain;render;draw 8\nother 16'),
  ])
  expect(drawTree(merged)).toEqual([
    'main 15/0',
    '  parse 2/2',
    '  render 13/5',
    '    draw 8/8',
    'other 16/16',
  ])
  expect(merged.sampleCount).toBe(31)
})

const inFolder = (folder: string, ids: number[]) =>
  readProfile(
    writePprof({
      samples: ids.map((id) => ({ ids: [id], values: [id] })),
      locations: ['main@main.go', 'load@users/load.go', 'load@orders/load.go'].map((place, index) => ({
        id: index + 1,
        functions: [place.replace('@', `@${folder}`)],
      })),
    }),
  )

test('functions are one in whichever folder the program is, and two in equally named files', () => {
  const merged = mergeProfiles([
    inFolder('/srv/1/', [1, 2, 3]),
    inFolder('/srv/2/', [1, 2]),
    inFolder('/srv/2/', [3]),
  ])
  const { names, files } = merged.functions
  expect(merged.nodes.functionIndexes.slice(1)).toEqual(Int32Array.of(0, 1, 2))
  expect(names.map((name, index) => `${name} ${files[index]} ${merged.selfValues[0]![index + 1]}`)).toEqual([
    'main /srv/2/main.go 2',
    'load /srv/2/users/load.go 4',
    'load /srv/2/orders/load.go 6',
  ])
})

const at = (startedAt: string, durationMs?: number) => ({ ...profileOf('main 1'), startedAt, durationMs })

test('durations add up, and the first start is kept', () => {
  const [late, early] = [at('2026-11-20T10:00:00.000Z', 10), at('2026-11-20T09:00:00.000Z', 20)]
  expect(mergeProfiles([late, early])).toMatchObject({ durationMs: 30, startedAt: early.startedAt })
  expect(mergeProfiles([late, at(early.startedAt)]).durationMs).toBeUndefined()
})

const measured = (sampleTypes: [string, string][], values: number[], labels?: Record<string, string>) =>
  readProfile(
    writePprof({
      sampleTypes,
      samples: [{ ids: [1], values, ...(labels === undefined ? {} : { labels }) }],
      locations: [{ id: 1, functions: ['main'], lines: [7] }],
    }),
  )

test('values are in the units of the first, and what not all of them have is left out', () => {
  const merged = mergeProfiles([
    measured(
      [
        ['samples', 'count'],
        ['cpu', 'nanoseconds'],
      ],
      [3, 30],
    ),
    measured(
      [
        ['cpu', 'microseconds'],
        ['wall', 'microseconds'],
      ],
      [5, 6],
    ),
  ])
  expect(merged.sampleTypes).toEqual([{ type: 'cpu', unit: 'nanoseconds' }])
  expect(drawTree(merged)).toEqual(['main 5030/5030'])
  expect(merged.warnings).toEqual([
    'Left out, because not all of the merged profiles have it: samples, wall.',
  ])
  expect(() =>
    mergeProfiles([measured([['cpu', 'bytes']], [3]), measured([['cpu', 'seconds']], [3])]),
  ).toThrow(new CannotMergeError('no sample type is common to all: there are cpu'))
})

test('labels and lines are added up too', () => {
  const merged = mergeProfiles([
    measured([['cpu', 'count']], [3], { thread: 'a' }),
    measured([['cpu', 'count']], [4], { thread: 'b' }),
    measured([['cpu', 'count']], [5], { thread: 'a' }),
  ])
  expect(merged.labels).toMatchObject([
    {
      name: 'thread',
      values: [
        { value: 'a', weight: 8 },
        { value: 'b', weight: 4 },
      ],
    },
  ])
  expect(merged.threads).toEqual([
    { name: 'a', totals: [8] },
    { name: 'b', totals: [4] },
  ])
  const { lines, labelled } = merged.detail!
  expect([...labelled!.values[0]!]).toEqual([8, 4])
  expect(lines === undefined ? [] : [[...lines.lines], [...lines.totalValues[0]!]]).toEqual([[7], [12]])
})

test.each(['pprof/go-heap.pb.gz', 'pprof/go-cpu.pb.gz', 'heapprofile/node.heapprofile'])(
  'merged with itself, %s has twice as much everywhere',
  (path) => {
    const one = readProfile(sample(path))
    const twice = mergeProfiles([one, one])
    const types = one.sampleTypes.map((_, type) => type)
    for (const type of types) {
      const doubled = { ...one, selfValues: one.selfValues.map((column) => column.map((value) => value * 2)) }
      expect(drawTree(twice, type)).toEqual(drawTree(doubled, type))
    }
  },
)
