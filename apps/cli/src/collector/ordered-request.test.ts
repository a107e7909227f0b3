import { expect, test } from 'vitest'
import { parseAllowList } from './allow-list.ts'
import { orderedRequest } from './ordered-request.ts'

const list = parseAllowList(
  JSON.stringify({
    allow: {
      shop: { kind: 'pprof', url: 'localhost:6060', types: ['cpu', 'heap'], seconds_max: 20 },
      batch: { kind: 'node', command: ['node', 'batch.js'], seconds_max: 120 },
      worker: { kind: 'inspect', url: '9229', seconds_max: 300 },
      jvm: { kind: 'jfr', pid_file: '/nowhere/app.pid' },
    },
  }),
  'collect.json',
)
const ordered = (name: string, type: 'cpu' | 'heap' | 'heap_snapshot', seconds: number | null = null) =>
  orderedRequest({ name, type, seconds }, list)

test.each([
  ['shop', 'cpu', 5, 5],
  ['shop', 'cpu', null, 20],
  // What is there at once takes no time, unless it is to be the difference of two moments.
  ['shop', 'heap', null, undefined],
  ['shop', 'heap', 5, 5],
  ['worker', 'heap_snapshot', null, undefined],
  ['worker', 'cpu', null, 30],
  ['batch', 'cpu', null, 120],
] as const)('an order of %s, %s, for %s seconds takes %s', async (name, type, seconds, expected) => {
  const { request } = await ordered(name, type, seconds)
  expect(request.seconds).toBe(expected)
})

test.each([
  [() => ordered('rm', 'cpu'), 'This collector may not run rm.'],
  [() => ordered('__proto__', 'cpu'), 'This collector may not run __proto__.'],
  [() => ordered('shop', 'heap_snapshot'), 'This collector may not take heap_snapshot of shop.'],
  [() => ordered('shop', 'cpu', 21), 'shop may take 20 s at most here.'],
  [() => ordered('jvm', 'cpu'), '/nowhere/app.pid has no number of a process in it'],
])('an order beyond the list is refused: %#', async (order, text) => {
  await expect(order()).rejects.toThrow(text)
})
