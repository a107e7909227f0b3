import { expect, test } from 'vitest'
import { addedTo, type ItemsBefore } from './added-to.ts'
import { liveLimits, liveSections } from './limits.ts'
import type { Call } from './otlp/span-calls.ts'
import { livePush } from './push.ts'
import type { Reading } from './reading.ts'

const call = (name: string, durationNs: number, more: Partial<Call> = {}): Call => ({
  section: 'functions_timing',
  name,
  durationNs,
  counters: {},
  endedAtMs: 1000,
  ending: 'ok',
  text: 'trace 1',
  ...more,
})
const level = (name: string, value: number, more: Partial<Reading> = {}): Reading => ({
  name,
  kind: 'gauge',
  unit: '',
  atMs: 1000,
  isDelta: false,
  levels: { value },
  ...more,
})
const counter = (added: number, isDelta: boolean) =>
  level('c', 0, { kind: 'counter', levels: undefined, counters: { added }, isDelta })
const now = 2000

/** Adds one after the other, as pushes of a session come. */
function afterAll(...received: { calls?: Call[]; readings?: Reading[] }[]) {
  let before: ItemsBefore = new Map()
  let told = addedTo(before, { calls: [], readings: [] }, now)
  for (const { calls = [], readings = [] } of received) {
    told = addedTo(before, { calls, readings }, now)
    livePush.parse({ session: 'otlp-0000', sequence: 0, at: now, ...told })
    const sections = new Map(before)
    for (const name of liveSections) {
      const section = told.sections[name]
      if (section !== undefined) sections.set(name, section)
    }
    before = sections
  }
  return { ...told, items: before }
}

test('what comes is added, and all that was there is told again', () => {
  const { sections, logs } = afterAll(
    { calls: [call('a', 100), call('b', 5)] },
    { calls: [call('a', 300), call('a', 200)] },
  )
  expect(sections.functions_timing?.items).toMatchObject([
    {
      id: 'a',
      distributions: {
        duration: { count: 3, total: 600, max: 300, histogram: { counts: [1, 1, 1] } },
      },
    },
    { id: 'b', distributions: { duration: { count: 1, total: 5 } } },
  ])
  expect(logs).toEqual([
    {
      section: 'functions_timing',
      item: 'a',
      at: [1000, 1000],
      value: [300, 200],
      kind: ['ok', 'ok'],
      text: ['trace 1', 'trace 1'],
    },
  ])
})

test('sections that nothing came to are not told', () => {
  const { sections } = afterAll({ calls: [call('a', 1)] }, { readings: [level('g', 1)] })
  expect(Object.keys(sections)).toEqual(['gauges'])
})

test('entries rise, and none is later than now', () => {
  const { logs } = afterAll({
    calls: [
      call('a', 3, { endedAtMs: 9000 }),
      call('a', 1, { endedAtMs: 10 }),
      call('a', 2, { endedAtMs: 20 }),
    ],
  })
  expect(logs[0]).toMatchObject({ at: [10, 20, 2000], value: [1, 2, 3] })
})

test('totals take the place of totals, and differences are added to them', () => {
  const pushed = [false, true].map(
    (isDelta) =>
      afterAll({ readings: [counter(5, isDelta)] }, { readings: [counter(7, isDelta)] }).sections.gauges
        ?.items,
  )
  expect(pushed[0]).toMatchObject([{ counters: { added: 7 } }])
  expect(pushed[1]).toMatchObject([{ counters: { added: 12 } }])
})

test('a level is logged when it changes', () => {
  const { sections, logs } = afterAll(
    { readings: [level('g', 1)] },
    { readings: [level('g', 1, { atMs: 1100 }), level('g', 4, { atMs: 1200 })] },
  )
  expect(sections.gauges?.items).toEqual([
    { id: 'g', name: 'g', kind: 'gauge', levels: { value: 4 }, counters: { logged: 2 } },
  ])
  expect(logs).toEqual([{ section: 'gauges', item: 'g', at: [1200], value: [4] }])
})

test('names beyond those that a section has room for are counted, and none that is there goes', () => {
  const names = Array.from({ length: liveLimits.itemsMax + 3 }, (_, index) => `f${index}`)
  const { sections } = afterAll(
    { calls: names.slice(0, liveLimits.itemsMax - 1).map((name) => call(name, 1)) },
    { calls: names.map((name) => call(name, 1)) },
  )
  expect(sections.functions_timing).toMatchObject({ left_out: 3 })
  expect(sections.functions_timing?.items).toHaveLength(liveLimits.itemsMax)
  expect(sections.functions_timing?.items[0]?.distributions?.['duration']?.count).toBe(2)
})

test('long names and strange characters become what can be stored', () => {
  const long = 'x'.repeat(300)
  const { items } = afterAll({
    calls: [`${long}a`, `${long}b`, 'y'.repeat(600), '', 'nul\0 and half \ud83d'].map((name) =>
      call(name, 1),
    ),
  })
  const told = items.get('functions_timing')?.items ?? []
  expect(told.map(({ id, name }) => [id.length, name.length])).toEqual([
    [200, 301],
    [200, 301],
    [200, 500],
    [7, 7],
    [14, 14],
  ])
  expect(new Set(told.map(({ id }) => id)).size).toBe(5)
  expect(told.at(-1)?.name).toBe('nul and half \ufffd')
})
