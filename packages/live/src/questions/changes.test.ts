import { expect, test } from 'vitest'
import type { LiveSection } from '../push.ts'
import { madeProgram } from '../testing/made-program.ts'
import { amountChanges, timeChanges } from './changes.ts'
import { sectionWindow, type SectionWindow } from './item-window.ts'

const pushes = madeProgram({ slowFrom: 60 })

function between(section: LiveSection, from: number, to: number, of = pushes): SectionWindow {
  const at = (second: number) => ({
    at: new Date(of[second]?.at ?? 0),
    items: of[second]?.sections[section]?.items ?? [],
  })
  const window = sectionWindow(
    section,
    [{ session: 'made-shop-1', before: at(from), last: at(to), startedAt: new Date(of[0]?.at ?? 0) }],
    { isSinceStart: false, isApart: false },
  )
  if (window === undefined) throw new Error('There is nothing.')
  return window
}

test('what slowed is told with its means, percentiles and cost', () => {
  const changes = timeChanges(
    'functions_timing',
    between('functions_timing', 0, 60),
    between('functions_timing', 60, 120),
  )
  expect(changes).toHaveLength(1)
  expect(changes[0]).toMatchObject({
    name: 'shop::pay',
    measured: 'duration',
    calls: [1200, 1200],
    meanNs: [3e6, 9e6],
    changePercent: 200,
    isPercentilesOfTimes: true,
    extraNsPerSecond: 20 * 6e6,
  })
  const [before = 0, after = 0] = changes[0]?.percentiles['p99_ns'] ?? []
  expect(after / before).toBeCloseTo(3, 0)
})

test('the other way round it became faster', () => {
  const [only] = timeChanges(
    'functions_timing',
    between('functions_timing', 60, 120),
    between('functions_timing', 0, 60),
  )
  expect(only?.extraNsPerSecond).toBe(-20 * 6e6)
})

test('an amount that grew is told with its part of the whole; what stayed is not', () => {
  const changes = amountChanges('channels', between('channels', 0, 60), between('channels', 60, 120))
  expect(changes).toEqual([
    {
      section: 'channels',
      name: 'orders',
      measure: 'queued',
      base: 600,
      head: 1200,
      changePercent: 100,
      sharePercent: 50,
    },
  ])
})

test('what is new has no change in percent', () => {
  const without = pushes.map((push) => ({
    ...push,
    sections: {
      ...push.sections,
      channels: { status: 'on' as const, items: push.sections.channels?.items.slice(1) ?? [] },
    },
  }))
  const changes = amountChanges('channels', between('channels', 0, 60, without), between('channels', 60, 120))
  expect(changes.find(({ measure }) => measure === 'queued')).toMatchObject({
    name: 'orders',
    base: 0,
    changePercent: null,
    sharePercent: 100,
  })
})

/** What `a` did, so many calls of the same length. */
function calls(mean: number, count: number): SectionWindow {
  const last = {
    at: new Date(1000),
    items: [{ id: '1', name: 'a', distributions: { duration: { count, total: mean * count } } }],
  }
  const window = sectionWindow(
    'functions_timing',
    [{ session: 'made-shop-1', before: undefined, last, startedAt: new Date(0) }],
    { isSinceStart: true, isApart: false },
  )
  if (window === undefined) throw new Error('There is nothing.')
  return window
}

test('a handful of calls says nothing', () => {
  expect(timeChanges('functions_timing', calls(100, 4), calls(900, 4))).toEqual([])
  expect(timeChanges('functions_timing', calls(100, 5), calls(900, 5))).toHaveLength(1)
})
