import { expect, test } from 'vitest'
import { ProfileBuilder } from '../profile-builder.ts'
import { profileTimeline, type TimelineOptions } from './timeline.ts'

function timed(unit: string, samples: [thread: string, timeMs: number, value: number][]) {
  const builder = new ProfileBuilder({ format: 'pprof', sampleTypes: [{ type: 'cpu', unit }] })
  const main = builder.child(0, builder.functions.intern('main', 'main.go', 0))
  for (const [thread, timeMs, value] of samples) {
    builder.add(main, [value], { timeMs, labelSet: builder.labelSet([['thread', thread]]) })
  }
  return builder.finish({ warnings: [] })
}

const draw = (profile: ReturnType<typeof timed>, options: Partial<TimelineOptions> = {}) => {
  const { detail, ...rest } = profile
  const { series, startMs, endMs } = profileTimeline(rest, detail, {
    by: 'thread',
    bucketCount: 5,
    ...options,
  })
  return [
    `${startMs}-${endMs}`,
    ...series.map(({ name, values, gaps }) =>
      [name, ...values, ...gaps.map((gap) => `(${gap.fromMs}-${gap.toMs})`)].join(' '),
    ),
  ]
}

test('a value that is a time is there for as long as it is', () => {
  const profile = timed('milliseconds', [
    ['a', 0, 10],
    ['b', 3, 4],
    ['b', 8, 1],
  ])
  expect(draw(profile)).toEqual(['0-10', 'a 2 2 2 2 2', 'b 0 1 2 1 1'])
})

test('a value that is no time is where its sample is, the last one at the end', () => {
  const profile = timed('bytes', [
    ['a', 0, 64],
    ['a', 4, 8],
    ['a', 10, 1],
  ])
  expect(draw(profile)).toEqual(['0-10', 'a 64 0 8 0 1'])
})

test('a part of it: its own buckets, without what is outside', () => {
  const profile = timed('milliseconds', [
    ['a', 0, 10],
    ['b', 3, 4],
    ['b', 8, 1],
  ])
  const filter = { fromMs: 2, toMs: 7, labels: new Map([['thread', 'b']]) }
  expect(draw(profile, { filter })).toEqual(['2-7', 'b 0 1 1 1 1'])
})

test('where nothing is measured for long is a gap; values of nothing are nothing', () => {
  const samples = Array.from({ length: 40 }, (_, index): [string, number, number] => ['a', index, 1])
  const profile = timed('milliseconds', [...samples, ['a', 50, 0], ['a', 99, 1]])
  expect(draw(profile, { bucketCount: 10 })).toEqual(['0-100', 'a 10 10 10 10 0 0 0 0 0 1 (40-99)'])
})

test('the smallest series become one', () => {
  const profile = timed('milliseconds', [
    ['a', 0, 5],
    ['b', 0, 2],
    ['c', 0, 1],
  ])
  expect(draw(profile, { bucketCount: 1, maxSeries: 2 })).toEqual(['0-5', 'a 5', 'Other 3'])
  expect(draw(profile, { bucketCount: 1, by: 'origin' })).toEqual(['0-5', 'User code 8'])
})

test('many long samples cost no more than short ones', () => {
  const profile = timed(
    'milliseconds',
    Array.from({ length: 200_000 }, (_, index) => ['a', index / 1e4, 1000]),
  )
  const begin = process.threadCpuUsage()
  draw(profile, { bucketCount: 2000 })
  expect(process.threadCpuUsage(begin).user / 1000).toBeLessThan(2000)
})

test('a profile without times has nothing on its timeline', () => {
  const builder = new ProfileBuilder({ format: 'pprof', sampleTypes: [{ type: 'cpu', unit: 'count' }] })
  builder.add(builder.child(0, builder.functions.intern('main')), [1])
  expect(draw(builder.finish({ warnings: [] }))).toEqual(['0-0'])
})
