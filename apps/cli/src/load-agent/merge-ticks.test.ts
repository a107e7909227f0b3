import { actionCounters, generatorGauges, profileCounters, type Tick } from '@flamegate/series'
import { expect, test } from 'vitest'
import { mergeTicks, TickMerger } from './merge-ticks.ts'

const tickOf = (second: number, actions: Tick['actions'] = []): Tick => ({
  second,
  actions,
  profiles: [new Float64Array(profileCounters.length).fill(2)],
  generator: new Float64Array(generatorGauges.length),
})
const actionOf = (action: number, count: number, slots: number[]): Tick['actions'][number] => {
  const histogram = () => ({ slots: Uint16Array.from(slots), counts: Uint32Array.from(slots, () => 1) })
  const counters = new Float64Array(actionCounters.length)
  counters[actionCounters.indexOf('count')] = count
  return { profile: 0, action, counters, serviceTime: histogram(), responseTime: histogram() }
}

const seconds = (ticks: readonly Tick[]) => ticks.map(({ second }) => second)

test('counters and histograms of threads are added up, action by action', () => {
  const merged = mergeTicks([
    tickOf(3, [actionOf(0, 2, [5, 9])]),
    tickOf(3, [actionOf(0, 1, [9]), actionOf(1, 1, [7])]),
  ])
  expect(
    merged.actions.map(({ action, counters, serviceTime: { slots, counts } }) => [
      action,
      counters[actionCounters.indexOf('count')],
      [...slots],
      [...counts],
    ]),
  ).toEqual([
    [0, 3, [5, 9], [1, 2]],
    [1, 1, [7], [1]],
  ])
  expect(merged.profiles[0]?.[0]).toBe(4)
})

test('of what threads tell of themselves the worst counts, and connections are added up', () => {
  const [one, other] = [tickOf(0), tickOf(0)]
  one.generator.set([950, 10, 20, 1000, 3])
  other.generator.set([100, 30, 5, 1000, 4])
  expect([...mergeTicks([one, other]).generator]).toEqual([950, 30, 20, 1000, 7])
})

test('a second is told when all threads have told it, or have ended', () => {
  const merger = new TickMerger(2)
  expect(seconds(merger.add(0, tickOf(0)))).toEqual([])
  expect(seconds(merger.add(0, tickOf(1)))).toEqual([])
  expect(seconds(merger.add(1, tickOf(0)))).toEqual([0])
  expect(seconds(merger.end(1))).toEqual([1])
  expect(seconds(merger.add(0, tickOf(2)))).toEqual([2])
  expect(seconds(merger.end(0))).toEqual([])
})
