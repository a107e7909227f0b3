import { expect, test } from 'vitest'
import type { LiveSection } from '../push.ts'
import { madeProgram, madeStart, type MadeProgram } from '../testing/made-program.ts'
import { sectionHistory, type StoredMoment } from './section-history.ts'

type Options = Parameters<typeof sectionHistory>[2]

const second = (at: number) => new Date(madeStart + at * 1000)

const tell = (section: LiveSection, snapshots: readonly StoredMoment[], options: Options) =>
  sectionHistory(section, snapshots, options, () => Promise.resolve())

function stored(section: LiveSection, program: MadeProgram = {}, every = 1): StoredMoment[] {
  return madeProgram(program)
    .filter(({ sequence }) => sequence % every === 0)
    .map(({ session, at, sections }) => ({
      session,
      at: new Date(at),
      items: sections[section]?.items ?? [],
    }))
}

async function history(
  section: LiveSection,
  snapshots: readonly StoredMoment[],
  options: Partial<Options> = {},
) {
  const told = await tell(section, snapshots, {
    from: second(0),
    to: second(120),
    steps: 4,
    isApart: false,
    percentiles: [95],
    ...options,
  })
  return { at: told.at, of: (name: string) => told.items.find(({ item }) => item.name === name)?.measures }
}

test('each step tells what happened in it, and levels as they stood at its end', async () => {
  const timing = await history('functions_timing', stored('functions_timing', { slowFrom: 60 }))
  expect(timing.at).toEqual([second(30), second(60), second(90), second(120)])
  const pay = timing.of('shop::pay')
  expect(pay?.['mean_ns']).toEqual([3e6, 3e6, 9e6, 9e6])
  expect(pay?.['calls_per_second']).toEqual([20, 20, 20, 20])
  expect(pay?.['p95_ns']?.map((value) => Math.round((value ?? 0) / 1e6))).toEqual([3, 3, 9, 9])
  const orders = (await history('channels', stored('channels'))).of('orders')
  expect(orders?.['queued']).toEqual([300, 600, 900, 1200])
})

test('what would be more in a longer step is left out', async () => {
  const pay = (await history('functions_timing', stored('functions_timing'))).of('shop::pay') ?? {}
  expect(Object.keys(pay).toSorted()).toEqual(['calls_per_second', 'max_ns', 'mean_ns', 'p95_ns'])
  const worker = (await history('threads', stored('threads'))).of('worker') ?? {}
  expect(worker['kept_bytes']).toEqual([3e7, 6e7, 9e7, 12e7])
  expect(worker['cpu_percent']).toHaveLength(4)
  for (const percent of worker['cpu_percent'] ?? []) expect(percent).toBeCloseTo(70)
  expect(worker).not.toHaveProperty('cpu_ns')
  expect(worker).not.toHaveProperty('kept_change_bytes')
  const parse = (await history('functions_alloc', stored('functions_alloc'))).of('shop::parse') ?? {}
  expect(parse['bytes_per_second']).toEqual([3e6, 3e6, 3e6, 3e6])
})

test('percentiles since the program began are of no step', async () => {
  const pay = (await history('functions_timing', stored('functions_timing', { hasHistograms: false }))).of(
    'shop::pay',
  )
  expect(pay).not.toHaveProperty('p95_ns')
  expect(pay?.['mean_ns']).toEqual([3e6, 3e6, 3e6, 3e6])
})

test('where snapshots are rarer than steps, several steps tell the same', async () => {
  const rare = stored('functions_timing', { slowFrom: 60 }, 60)
  const pay = (await history('functions_timing', rare, { steps: 6 })).of('shop::pay')
  expect(pay?.['mean_ns']).toEqual([3e6, 3e6, 3e6, 9e6, 9e6, 9e6])
})

test('processes are added up, each as long as it was there', async () => {
  const both = [
    ...stored('channels', { seconds: 59 }),
    ...stored('channels', { session: 'made-shop-2', startedAt: madeStart + 500 }),
  ]
  const orders = (await history('channels', both)).of('orders')
  expect(orders?.['sent_per_second']?.map((rate) => Math.round(rate ?? 0))).toEqual([100, 100, 50, 50])
})

test('of gauges each process is told, and nothing of one that did not run yet', async () => {
  const told = await tell(
    'gauges',
    [
      ...stored('gauges'),
      ...stored('gauges', { session: 'made-shop-2', startedAt: madeStart + 60_000, seconds: 60 }),
    ],
    { from: second(0), to: second(120), steps: 4, isApart: true, percentiles: [] },
  )
  expect(told.items.map(({ item, measures }) => [item.sessions, measures['value']])).toEqual([
    [['made-shop-1'], [42, 42, 42, 42]],
    [['made-shop-2'], [null, null, 42, 42]],
  ])
})
