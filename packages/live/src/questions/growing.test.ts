import { expect, test } from 'vitest'
import type { LiveSection } from '../push.ts'
import { madeProgram, madeStart } from '../testing/made-program.ts'
import { steadilyGrowing } from './growing.ts'

const pushes = madeProgram({ seconds: 120 })

function snapshots(section: LiveSection) {
  return pushes.map(({ session, at, sections }) => ({
    session,
    at: new Date(at),
    items: sections[section]?.items ?? [],
  }))
}

test('memory that is never given back grows; what comes and goes does not', () => {
  const growing = steadilyGrowing('threads', snapshots('threads'))
  expect(growing.map(({ name, measure }) => [name, measure])).toEqual([
    ['worker', 'kept_bytes'],
    ['process', 'rss_bytes'],
  ])
  expect(growing[0]).toMatchObject({ perSecond: 1e6, risingSteps: 11, steps: 11, fullInSeconds: null })
})

test('a queue that fills grows, and it is told when it will be full', () => {
  const [orders, ...others] = steadilyGrowing('channels', snapshots('channels'))
  expect(others).toEqual([])
  expect(orders).toMatchObject({ name: 'orders', measure: 'queued', from: 0, perSecond: 10 })
  expect(orders?.fullInSeconds).toBeCloseTo((5000 - (orders?.to ?? 0)) / 10)
  expect(orders?.lows).toHaveLength(12)
})

const levels = (values: readonly number[]) =>
  values.map((queued, second) => ({
    session: 'made-shop-1',
    at: new Date(madeStart + second * 1000),
    items: [{ id: '1', name: 'queue', levels: { queued } }],
  }))

test.each([
  ['one jump', [5, 5, 5, 5, 5, 90, 90, 90, 90, 90, 90, 90]],
  ['up and down', [1, 9, 2, 8, 3, 9, 1, 7, 2, 9, 4, 8]],
  ['hardly more than before', [1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009]],
  ['too little to tell', [1, 2, 3, 4]],
])('%s is no growth', (_what, values) => {
  expect(steadilyGrowing('channels', levels(values))).toEqual([])
})

const retained = (name: string, bytes: number) => ({ id: name, name, levels: { retained: bytes } })

test('a function that holds on to more and more is named', () => {
  const told = Array.from({ length: 24 }, (_, second) => ({
    session: 'made-shop-1',
    at: new Date(madeStart + second * 1000),
    items: [retained('rememberSession', second * 4096), retained('renderCart', 9000 + (second % 3) * 100)],
  }))
  expect(steadilyGrowing('functions_alloc', told)).toMatchObject([
    { name: 'rememberSession', measure: 'retained_bytes', perSecond: 4096 },
  ])
})

test('one step back in ten is growth all the same', () => {
  const [only] = steadilyGrowing('channels', levels([1, 2, 3, 4, 5, 4, 6, 7, 8, 9, 10, 11]))
  expect(only).toMatchObject({ risingSteps: 10, steps: 11 })
})
