import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeHistograms } from '../histogram-sum.ts'
import { allOfThem, eachOfThem, isOfWindow, isRolledUp, rollUp, rollUpHour, sealWindow } from '../seal.ts'
import type { LiveTick, RunPlan, SeriesChunk } from '../seal.ts'
import { allAgents } from '../table.ts'
import { tickArbitrary } from '../testing/make-ticks.ts'
import { encodeTick } from '../tick-bytes.ts'
import { actionCounters, generatorGauges, profileCounters } from '../tick.ts'
import type { Tick } from '../tick.ts'
import { answerByParts } from './answer-by-parts.ts'
import { joinLive, liveSummingOf, sumLive } from './live-sums.ts'
import { planQuestion, type SeriesQuestion } from './question.ts'

/** More than an hour, and no whole number of ten minutes. */
const secondsEnd = 4_500
const run: RunPlan = { containers: new Set([2]) }

interface Told {
  agent: number
  tick: Tick
}

const told = fc
  .uniqueArray(fc.tuple(fc.nat(2), fc.oneof(fc.nat(130), fc.nat(secondsEnd - 1))), {
    minLength: 1,
    maxLength: 14,
    selector: ([agent, second]) => `${agent} ${second}`,
  })
  .chain((places) =>
    fc.tuple(...places.map(([agent, second]) => tickArbitrary(second).map((tick) => ({ agent, tick })))),
  )

const question: fc.Arbitrary<SeriesQuestion> = fc
  .record({
    kind: fc.constantFrom('requests', 'users', 'generator'),
    from: fc.oneof(fc.constant(0), fc.nat(secondsEnd)),
    length: fc.oneof(fc.constant(secondsEnd), fc.integer({ min: 1, max: secondsEnd })),
    pointsMax: fc.constantFrom(1, 2, 7, 40, 200),
    agent: fc.option(fc.nat(3), { nil: undefined }),
    apart: fc.constantFrom(undefined, 'profile', 'action', 'agent'),
    profiles: fc.option(fc.subarray([0, 1, 5]), { nil: undefined }),
    times: fc.constantFrom(undefined, { service: false, response: true }),
    // Of many, other chunks are read than of few.
    actions: fc.option(
      fc
        .tuple(fc.subarray([0, 1, 2, 3, 9]), fc.boolean())
        .map(([few, isMany]) =>
          isMany ? [...few, ...Array.from({ length: 30 }, (_, more) => 10 + more)] : few,
        ),
      { nil: undefined },
    ),
  })
  .map(({ length, agent, apart, profiles, actions, times, ...rest }) => ({
    ...rest,
    to: rest.from + length,
    ...(agent === undefined ? {} : { agent }),
    ...(apart === undefined || (apart === 'action' && rest.kind !== 'requests') ? {} : { apart }),
    ...(profiles === undefined ? {} : { profiles }),
    ...(actions === undefined ? {} : { actions }),
    ...(times === undefined ? {} : { times }),
  }))

const rolledUp = fc
  .constantFrom(0, 600, 1_200, 3_000, 4_200, 4_800)
  .chain((rolledTo) => fc.record({ rolledTo: fc.constant(rolledTo), hoursTo: fc.constantFrom(0, rolledTo) }))

const live = ({ agent, tick }: Told): LiveTick => ({ agent, second: tick.second, bytes: encodeTick(tick) })

/** What a store does: windows are sealed, added to, and rolled up. */
class Sealed {
  chunks = new Map<string, SeriesChunk>()
  rolledTo = 0
  hoursTo = 0

  readonly hasHours: boolean

  /** @param hasHours whether it is of a time that had chunks of hours */
  constructor(hasHours: boolean) {
    this.hasHours = hasHours
  }

  seal(ticks: readonly LiveTick[]): void {
    for (const ofWindow of Map.groupBy(ticks, ({ second }) => Math.floor(second / 60)).values()) {
      const start = Math.floor((ofWindow[0]?.second ?? 0) / 60) * 60
      const before = [...this.chunks.values()].filter(
        (chunk) => chunk.startSecond === start && isOfWindow(chunk),
      )
      this.#store(sealWindow(ofWindow, run, before))
      if (start < this.rolledTo) this.#rollUp(Math.floor(start / 600) * 600)
      if (start < this.hoursTo) this.#rollUpHour(Math.floor(start / 3_600) * 3_600)
    }
  }

  rollTo(second: number): void {
    while (this.rolledTo < second) {
      this.#rollUp(this.rolledTo)
      if (this.hasHours) this.#rollUpHour(Math.floor(this.rolledTo / 3_600) * 3_600)
      this.rolledTo += 600
      if (this.hasHours) this.hoursTo = this.rolledTo
    }
  }

  #rollUpHour(start: number): void {
    const ofHour = [...this.chunks.values()].filter(
      ({ action, level, startSecond }) =>
        action === eachOfThem && level === 600 && startSecond >= start && startSecond < start + 3_600,
    )
    for (const [profile, chunks] of Map.groupBy(ofHour, (chunk) => chunk.profile)) {
      const key = { kind: 'requests', profile, action: eachOfThem } as const
      const bytes = chunks.toSorted((a, b) => a.startSecond - b.startSecond).map((chunk) => chunk.bytes)
      this.#store(rollUpHour(key, start, bytes))
    }
  }

  #rollUp(start: number): void {
    const sealed = [...this.chunks.values()]
      .filter((chunk) => isRolledUp(chunk) && chunk.startSecond >= start && chunk.startSecond < start + 600)
      .toSorted((a, b) => a.startSecond - b.startSecond)
    const bySeries = Map.groupBy(sealed, ({ kind, profile, action }) => `${kind} ${profile} ${action}`)
    for (const ofSeries of bySeries.values()) {
      const [first] = ofSeries
      if (!first) continue
      const { kind, profile, action } = first
      const chunks = ofSeries.map(({ bytes }) => bytes)
      this.#store(rollUp({ kind, profile, action }, start, chunks))
    }
  }

  #store(chunks: readonly SeriesChunk[]): void {
    for (const chunk of chunks) {
      const { kind, profile, action, level, startSecond, isApart } = chunk
      this.chunks.set(`${kind} ${profile} ${action} ${level} ${startSecond} ${isApart}`, chunk)
    }
  }
}

function ask(asked: SeriesQuestion, sealed: Sealed, ticks: readonly LiveTick[]) {
  const chunks = [...sealed.chunks.values()]
  const actionsEnd = Math.max(-1, ...chunks.map(({ action }) => action)) + 1
  return answerByParts(asked, { run, actionsEnd }, (part) => {
    const plan = planQuestion(part, sealed)
    const ofPlan = chunks.filter(({ level, startSecond }) =>
      plan.windows.some(
        (window) => window.level === level && startSecond >= window.from && startSecond < window.to,
      ),
    )
    const summing = liveSummingOf(part, plan)
    const areAllAsked = ticks.every(({ second }) => second >= plan.from && second < plan.to)
    if (summing === undefined || !areAllAsked)
      return Promise.resolve({ plan, chunks: ofPlan, live: ticks, run })
    // Some were told of before.
    const half = ticks.length / 2
    const halves = [ticks.slice(0, half), ticks.slice(half)].map((some) => sumLive(some, summing, run))
    const liveSums = joinLive(summing, halves)
    return Promise.resolve({ plan, chunks: ofPlan, live: [], liveSums, run })
  })
}

/** The same, reckoned of the ticks one by one. */
function reckoned(asked: SeriesQuestion, ticks: readonly Told[], { from, to, bucketSeconds }: Plan) {
  const places = ticks
    .filter(({ tick }) => tick.second >= from && tick.second < to)
    .filter(({ agent }) => asked.agent === undefined || agent === asked.agent)
    .flatMap(({ agent, tick }) => placesOf(asked, agent, tick))
  const groups = Map.groupBy(places, ({ profile, action, agent }) => `${profile} ${action} ${agent}`)
  return [...groups.values()]
    .map((all) => ({
      profile: all[0]?.profile ?? 0,
      action: all[0]?.action ?? 0,
      agent: all[0]?.agent ?? 0,
      buckets: bucketStarts(from, to, bucketSeconds).map((start) => {
        const second = Math.max(start, from)
        const end = Math.min(start + bucketSeconds, to)
        const within = all.filter((each) => each.tick.second >= start && each.tick.second < end)
        return { second, seconds: end - second, ...valuesOf(asked, within) }
      }),
    }))
    .toSorted((a, b) => a.profile - b.profile || a.action - b.action || a.agent - b.agent)
}

interface Plan {
  from: number
  to: number
  bucketSeconds: number
}

interface Place {
  profile: number
  action: number
  agent: number
  tick: Tick
  ofProfile: number
  index: number
}

function placesOf(asked: SeriesQuestion, agent: number, tick: Tick): Place[] {
  const { kind, apart, profiles, actions } = asked
  const place = (ofProfile: number, ofAction: number, index: number): Place => ({
    profile: apart === 'profile' || apart === 'action' ? ofProfile : allOfThem,
    action: apart === 'action' ? ofAction : allOfThem,
    agent: apart === 'agent' ? agent : (asked.agent ?? allAgents),
    tick,
    ofProfile,
    index,
  })
  if (kind === 'generator') return [{ ...place(allOfThem, allOfThem, 0), profile: allOfThem }]
  if (kind === 'users')
    return tick.profiles.flatMap((_, profile) =>
      (profiles?.includes(profile) ?? true) ? [place(profile, allOfThem, profile)] : [],
    )
  return tick.actions.flatMap(({ profile, action }, index) => {
    const isTaken =
      actions === undefined ? apart === 'action' || !run.containers.has(action) : actions.includes(action)
    return isTaken && (profiles?.includes(profile) ?? true) ? [place(profile, action, index)] : []
  })
}

const sum = (lists: readonly Float64Array[], length: number) =>
  Float64Array.from({ length }, (_, index) => lists.reduce((total, list) => total + (list[index] ?? 0), 0))

function valuesOf({ kind, times }: SeriesQuestion, places: readonly Place[]) {
  if (kind === 'requests') {
    const actions = places.flatMap(({ tick, index }) => tick.actions.slice(index, index + 1))
    return {
      counters: sum(
        actions.map(({ counters }) => counters),
        actionCounters.length,
      ),
      serviceTime: mergeHistograms(
        times?.service === false ? [] : actions.map(({ serviceTime }) => serviceTime),
      ),
      responseTime: mergeHistograms(actions.map(({ responseTime }) => responseTime)),
    }
  }
  if (kind === 'generator') {
    const all = places.map(({ tick }) => tick.generator)
    const sums = sum(all, generatorGauges.length)
    return {
      max: Float64Array.from(sums, (_, index) => Math.max(0, ...all.map((gauges) => gauges[index] ?? 0))),
      mean: sums.map((each) => each / Math.max(1, all.length)),
    }
  }
  const counters = places.flatMap(({ tick, index }) => tick.profiles.slice(index, index + 1))
  const bySecond = [...Map.groupBy(places, ({ tick }) => tick.second)]
    .toSorted(([a], [b]) => a - b)
    .map(([, all]) => all.reduce((users, { tick, index }) => users + (tick.profiles[index]?.[0] ?? 0), 0))
  const sums = sum(counters, profileCounters.length)
  const users = bySecond.at(-1) ?? 0
  sums[0] = users
  return { users, usersMax: Math.max(0, ...bySecond), counters: sums }
}

function bucketStarts(from: number, to: number, width: number): number[] {
  const starts: number[] = []
  for (let start = Math.floor(from / width) * width; start < to; start += width) starts.push(start)
  return starts
}

/** Means are sums of numbers up to 2^43, divided: the last digits differ with the order. */
const rounded = (value: unknown): unknown =>
  JSON.stringify(value, (_key, each: unknown) =>
    ArrayBuffer.isView(each)
      ? Array.from(Object.values(each), Number).map((number) => Number(number.toPrecision(12)))
      : each,
  )

const spansOf = (asked: SeriesQuestion, rolledTo: number, hoursTo = 0) =>
  planQuestion(asked, { rolledTo, hoursTo }).spans.map(
    ({ level, from, to, isTakenOff, isOfEach }) =>
      `${isTakenOff ? 'less ' : ''}${from}-${to} by ${level}${isOfEach ? ' of each' : ''}`,
  )

describe('an answer', () => {
  test('is that of the ticks, live or sealed, in whichever order and pieces they came', () => {
    return fc.assert(
      fc.asyncProperty(
        told,
        question,
        fc.nat(14),
        fc.nat(14),
        fc.constantFrom(0, 600, 1_200, 3_000, 4_200, 4_800),
        fc.boolean(),
        async (ticks, asked, a, b, rolledTo, hasHours) => {
          const [first, second] = [Math.min(a, b), Math.max(a, b)]
          const sealed = new Sealed(hasHours)
          sealed.seal(ticks.slice(0, first).map(live))
          sealed.rollTo(rolledTo)
          sealed.seal(ticks.slice(first, second).map(live))
          const rest = ticks.slice(second)
          // Of users, the last ones within ten seconds are known when all that was told of these is in the same place.
          const isWhole = asked.kind !== 'users' || rest.length === 0 || second === 0
          if (!isWhole) return
          const { groups, ...plan } = await ask(asked, sealed, rest.map(live))
          expect(rounded(groups)).toEqual(rounded(reckoned(asked, ticks, plan)))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('has no more buckets than were asked for, of seconds within what was asked', () => {
    fc.assert(
      fc.property(question, rolledUp, (asked, plan) => {
        const { from, to, bucketSeconds, spans } = planQuestion(asked, plan)
        expect(bucketStarts(from, to, bucketSeconds).length).toBeLessThanOrEqual(asked.pointsMax)
        // Without a gap, nothing twice, and nothing that was not asked for.
        const timesOf = (second: number) =>
          spans
            .filter((span) => second >= span.from && second < span.to)
            .reduce((times, { isTakenOff }) => times + (isTakenOff ? -1 : 1), 0)
        const every = Array.from({ length: 2 * secondsEnd + 600 }, (_, second) => second)
        expect(every.filter((second) => timesOf(second) !== 0)).toEqual(
          every.filter((second) => second >= from && second < to),
        )
        expect(Math.max(...every.map(timesOf))).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('reads as few rows as there can be', () => {
    const asked: SeriesQuestion = { kind: 'requests', from: 137, to: 2_911, pointsMax: 1 }
    expect(spansOf(asked, 3_600)).toEqual([
      'less 0-120 by 60',
      'less 120-140 by 10',
      '137-140 by 1',
      '0-3000 by 600',
      '2910-2911 by 1',
      'less 2910-2940 by 10',
      'less 2940-3000 by 60',
    ])
    // The most users at once are no sum.
    expect(spansOf({ ...asked, kind: 'users' }, 3_600)).toEqual([
      '137-140 by 1',
      '140-180 by 10',
      '180-600 by 60',
      '600-2400 by 600',
      '2400-2880 by 60',
      '2880-2910 by 10',
      '2910-2911 by 1',
    ])
    // To take off as much as is asked for, or more, would be no fewer.
    expect(spansOf({ ...asked, from: 20, to: 50, apart: 'action' }, 3_600)).toEqual(['20-50 by 1'])
    // Beyond what is rolled up, minutes; of gauges tens of seconds.
    const all = { ...asked, from: 0, to: 1_200 }
    expect(spansOf(all, 600)).toEqual(['0-600 by 600', '600-1200 by 60'])
    expect(spansOf({ ...all, apart: 'agent' }, 600)).toEqual(['0-600 by 600', '600-1200 by 60'])
    expect(spansOf({ ...all, kind: 'users' }, 600)).toEqual(['0-600 by 600', '600-1200 by 10'])
    const table: SeriesQuestion = { ...all, apart: 'action' }
    expect(spansOf(table, 600)).toEqual(['0-600 by 600 of each', '600-1200 by 60 of each'])
    // The hour so far, and what it has more than is asked for.
    expect(spansOf(table, 600, 600)).toEqual(['0-600 by 3600 of each', '600-1200 by 60 of each'])
    expect(spansOf({ ...table, to: 7_200 }, 4_200, 4_200)).toEqual([
      '0-4200 by 3600 of each',
      '4200-7200 by 60 of each',
    ])
    expect(spansOf({ ...table, from: 600, to: 3_000 }, 3_600, 3_600)).toEqual([
      'less 0-600 by 600 of each',
      '0-3600 by 3600 of each',
      'less 3000-3600 by 600 of each',
    ])
    expect(spansOf({ ...table, from: 600, to: 2_400 }, 3_600, 3_600)).toEqual(['600-2400 by 600 of each'])
    expect(spansOf({ ...table, pointsMax: 20 }, 1_200, 1_200)).toEqual(['0-1200 by 60 of each'])
    // Minutes of some actions are those of each one, where it has them.
    const actions = Array.from({ length: 40 }, (_, action) => action)
    expect(planQuestion({ ...all, actions, pointsMax: 20 }, { rolledTo: 600, hoursTo: 600 })).toMatchObject({
      spans: [
        { level: 60, from: 0, to: 600, isOfEach: false },
        { level: 60, from: 600, to: 1_200, isOfEach: true },
      ],
      windows: [
        { level: 60, from: 600, to: 1_200, isApart: false, isOfEach: true },
        { level: 60, from: 0, to: 600, isApart: false, isOfEach: false },
      ],
    })
    // Of a few actions, those of each would be more; and tens of seconds, which have a row for each agent, are no fewer than seconds.
    expect(planQuestion({ ...all, actions: [1, 2] }, { rolledTo: 600, hoursTo: 600 })).toMatchObject({
      spans: [
        { level: 60, from: 0, to: 600 },
        { level: 1, from: 600, to: 1_200 },
      ],
      windows: [
        { level: 1, from: 600, to: 1_200, isApart: false, isOfEach: false },
        { level: 60, from: 0, to: 600, isApart: false, isOfEach: false },
      ],
    })
    const tens = { ...asked, from: 0, to: 3_600, pointsMax: 500 }
    expect(planQuestion(tens, { rolledTo: 3_600, hoursTo: 3_600 })).toEqual({
      from: 0,
      to: 3_600,
      bucketSeconds: 10,
      spans: [{ level: 10, from: 0, to: 3_600, isTakenOff: false, isOfEach: false }],
      windows: [{ level: 10, from: 0, to: 3_600, isApart: false, isOfEach: false }],
    })
  })
})
