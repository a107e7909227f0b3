import { operations, Problem } from '@flamegate/contract'
import { madeProgram, madeStart } from '@flamegate/live/testing'
import { expect, test } from 'vitest'
import { liveHistory } from './live-history.ts'
import { askLive } from './testing/ask-live.ts'

const ask = askLive({
  app_1: madeProgram({ slowFrom: 60 }),
  app_2: [...madeProgram(), ...madeProgram({ session: 'made-shop-2' })],
})

test('of each row what it is drawn by, first those that rows begin with', async () => {
  const { answer, markdown } = await ask(operations.liveHistory, liveHistory, {
    section: 'functions_timing',
    steps: 4,
    limit: 2,
  })
  expect(answer.from).toBe(new Date(madeStart).toISOString())
  expect(answer.at.at(-1)).toBe(new Date(madeStart + 120_000).toISOString())
  expect(answer.items.map(({ name, place, measures }) => [name, place, measures])).toEqual([
    ['shop::pay', 'src/pay.rs:12', { mean_ns: [3e6, 3e6, 9e6, 9e6] }],
    ['shop::render', null, { mean_ns: [298_000, 298_000, 298_000, 298_000] }],
  ])
  expect(markdown).toContain('| shop::pay | mean | 3 ms | 3 ms | 9 ms | 9 ms |')
})

test('those that fit a filter, of a time', async () => {
  const { answer } = await ask(operations.liveHistory, liveHistory, {
    section: 'channels',
    filter: 'ORD',
    last_seconds: 60,
    steps: 2,
  })
  expect(answer.items.map(({ name, measures }) => [name, measures])).toEqual([
    ['orders', { queued: [900, 1200] }],
  ])
})

test('of one item all that is measured, with percentiles', async () => {
  const { answer } = await ask(operations.liveHistory, liveHistory, {
    section: 'functions_timing',
    name: 'shop::pay',
    steps: 2,
  })
  const [only, ...others] = answer.items
  expect(others).toEqual([])
  expect(Object.keys(only?.measures ?? {}).toSorted()).toEqual([
    'calls_per_second',
    'max_ns',
    'mean_ns',
    'p50_ns',
    'p95_ns',
    'p99_ns',
  ])
})

test('of all of the process, by its name', async () => {
  const { answer } = await ask(operations.liveHistory, liveHistory, {
    section: 'threads',
    name: 'process',
    steps: 2,
  })
  expect(answer.items[0]?.measures['rss_bytes']).toEqual([11e7, 17e7])
})

test('SQL is found and told without literals', async () => {
  const name = 'SELECT * FROM orders WHERE mail = ?'
  const { answer } = await ask(operations.liveHistory, liveHistory, { section: 'sql', name, steps: 2 })
  expect(answer.items.map((item) => item.name)).toEqual([name])
})

test('of all processes, or of one of them', async () => {
  const question = { live_app_id: 'app_2', section: 'channels', name: 'ticks', steps: 2 }
  const rates = async (session?: string) => {
    const { answer } = await ask(operations.liveHistory, liveHistory, {
      ...question,
      ...(session === undefined ? {} : { session }),
    })
    return answer.items[0]?.measures['sent_per_second']
  }
  expect(await rates()).toEqual([2000, 2000])
  expect(await rates('made-shop-2')).toEqual([1000, 1000])
  await expect(rates('nobody-here')).rejects.toThrow(Problem)
})
