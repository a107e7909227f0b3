import { expect, test } from 'vitest'
import { ProfileBuilder } from '../profile-builder.ts'
import { listLabels, listThreads } from './list-labels.ts'

const builder = new ProfileBuilder({ format: 'pprof', sampleTypes: [{ type: 'samples', unit: 'count' }] })
const main = builder.child(0, builder.functions.intern('main'))
const add = (value: number, labels: [string, string][]) =>
  builder.add(main, [value], { labelSet: builder.labelSet(labels) })
add(4, [
  ['process', 'web'],
  ['thread', 'worker'],
  ['route', '/a'],
])
add(3, [
  ['process', 'db'],
  ['thread', 'worker'],
])
add(2, [
  ['process', 'web'],
  ['thread', 'main'],
  ['route', '/b'],
])
add(1, [])
const { detail, ...profile } = builder.finish({ warnings: [] })

test('labels with the shares of their values, of all samples', () => {
  expect(listLabels(profile, detail, { limit: 1 })).toEqual([
    { name: 'process', valueCount: 2, values: [{ value: 'web', total: 6, percent: 60 }] },
    { name: 'route', valueCount: 2, values: [{ value: '/a', total: 4, percent: 40 }] },
    { name: 'thread', valueCount: 2, values: [{ value: 'worker', total: 7, percent: 70 }] },
  ])
})

test('threads of one name in two processes are two', () => {
  expect(listThreads(profile, detail, { limit: 2 })).toEqual({
    threads: [
      { process: 'web', thread: 'worker', total: 4, percent: 40 },
      { process: 'db', thread: 'worker', total: 3, percent: 30 },
    ],
    threadCount: 3,
  })
})

test('only of the samples that are asked for; none where samples have none', () => {
  const filter = { labels: new Map([['process', 'web']]) }
  expect(listThreads(profile, detail, { limit: 9, filter }).threads).toEqual([
    { process: 'web', thread: 'worker', total: 4, percent: (4 * 100) / 6 },
    { process: 'web', thread: 'main', total: 2, percent: (2 * 100) / 6 },
  ])
  expect(listLabels(profile, undefined, { limit: 9 })).toEqual([])
  expect(listThreads(profile, undefined, { limit: 9 })).toEqual({ threads: [], threadCount: 0 })
})
