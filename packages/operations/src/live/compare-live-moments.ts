import { operations } from '@flamegate/contract'
import {
  amountChanges,
  comparedSections,
  growingSections,
  sectionWindow,
  steadilyGrowing,
  timeChanges,
  viewOf,
  type LiveSection,
  type SectionWindow,
} from '@flamegate/live'
import { implement, type CallContext } from '../implement.ts'
import { headOnWire, windowOnWire } from './on-wire.ts'
import { getLiveSource, type LiveSource } from './reaching.ts'
import { timeOfQuestion, type AskedTime } from './time-of-question.ts'

/** Length of a moment. */
const usualSeconds = 60
/** Of each process; a dozen parts of the time are looked at. */
const snapshotsMax = 120

export const compareLiveMoments = implement(operations.compareLiveMoments)(async (input, context) => {
  const { limit, base_live_app_id: baseId = input.live_app_id } = input
  const source = await getLiveSource(context, input.live_app_id)
  const isOfOne = baseId === source.id
  const baseSource = isOfOne ? source : await getLiveSource(context, baseId)
  const head = await timeOfQuestion(context, source, {
    last_seconds: lengthIn(source, input.last_seconds),
    until: input.until,
  })
  const base = await timeOfQuestion(context, baseSource, {
    last_seconds: lengthIn(baseSource, input.last_seconds),
    // Of two apps each is asked for what it last did; a recording has a time of its own.
    until: input.base_until ?? (isOfOne ? head.from.toISOString() : untilOf(baseSource, input.until)),
  })
  const [before, after] = await Promise.all([windowsOf(base), windowsOf(head)])
  const both = comparedSections.flatMap((section) => {
    const [was, is] = [before.get(section), after.get(section)]
    return was === undefined || is === undefined ? [] : [{ section, was, is }]
  })
  const growingFrom = isOfOne && base.from < head.from ? base.from : head.from
  const growing = await growingOf(context, source, head, growingFrom)
  return {
    ...headOnWire(source),
    base_live_app_id: baseSource.id,
    base_recording: baseSource.recording?.name ?? null,
    base: windowOnWire(widest(before), false),
    head: windowOnWire(widest(after), false),
    times: both
      .flatMap(({ section, was, is }) => timeChanges(section, was, is))
      .toSorted((a, b) => Math.abs(b.extraNsPerSecond) - Math.abs(a.extraNsPerSecond))
      .slice(0, limit)
      .map((change) => ({
        section: change.section,
        name: change.name,
        measured: change.measured,
        calls: pair(change.calls),
        mean_ns: pair(change.meanNs),
        change_percent: change.changePercent,
        percentiles: Object.fromEntries(
          Object.entries(change.percentiles).map(([name, values]) => [name, pair(values)]),
        ),
        is_percentiles_of_times: change.isPercentilesOfTimes,
        extra_ns_per_second: change.extraNsPerSecond,
      })),
    amounts: both
      .flatMap(({ section, was, is }) => amountChanges(section, was, is))
      .toSorted((a, b) => b.sharePercent - a.sharePercent)
      .slice(0, limit)
      .map((change) => ({
        section: change.section,
        name: change.name,
        measure: change.measure,
        base: change.base,
        head: change.head,
        change_percent: change.changePercent,
        share_percent: change.sharePercent,
      })),
    growing: growing.slice(0, limit).map((growth) => ({
      section: growth.section,
      name: growth.name,
      id: growth.id,
      session: growth.session,
      measure: growth.measure,
      from: growth.from,
      to: growth.to,
      per_second: growth.perSecond,
      rising_steps: growth.risingSteps,
      steps: growth.steps,
      lows: [...growth.lows],
      full_in_seconds: growth.fullInSeconds,
    })),
    growing_over: { from: growingFrom.toISOString(), to: head.to.toISOString() },
    notes: [
      ...(before.size === 0 ? ['Nothing was told in the base: there is nothing to compare with.'] : []),
      ...(after.size === 0 ? ['Nothing was told in the time that is compared.'] : []),
      ...([...before.values(), ...after.values()].some(({ withoutBeginning }) => withoutBeginning > 0)
        ? ['A process began to push within one of the times and ran before: what it did before is in it too.']
        : []),
    ],
  }
})

/** A recording is compared as a whole. */
function lengthIn({ recording }: LiveSource, seconds: number | undefined): number | undefined {
  return seconds ?? (recording === undefined ? usualSeconds : undefined)
}

function untilOf({ recording }: LiveSource, until: string | undefined): string | undefined {
  return recording === undefined ? until : undefined
}

async function windowsOf(time: AskedTime): Promise<ReadonlyMap<LiveSection, SectionWindow>> {
  const windows = await Promise.all(
    comparedSections.filter(isToldIn(time)).map(async (section) => {
      const window = sectionWindow(section, await time.moments(section), {
        ...time,
        isApart: viewOf(section).isApart ?? false,
      })
      return [section, window] as const
    }),
  )
  return new Map(windows.flatMap(([section, window]) => (window === undefined ? [] : [[section, window]])))
}

function widest(windows: ReadonlyMap<LiveSection, SectionWindow>): SectionWindow | undefined {
  return [...windows.values()].toSorted((a, b) => lengthMs(b) - lengthMs(a))[0]
}

function lengthMs({ from, to }: SectionWindow): number {
  return to.getTime() - from.getTime()
}

/** Sections that no process told would be looked for in vain. */
function isToldIn({ sessions }: AskedTime): (section: LiveSection) => boolean {
  const told = new Set(sessions.flatMap(({ sections }) => Object.keys(sections)))
  return (section) => told.has(section)
}

async function growingOf(context: CallContext, { id, told }: LiveSource, head: AskedTime, from: Date) {
  const span = { from, to: head.to }
  const growing = await Promise.all(
    growingSections
      .filter(isToldIn(head))
      .map(async (section) =>
        steadilyGrowing(section, await told.history(context.caller, id, section, span, snapshotsMax)),
      ),
  )
  return growing
    .flat()
    .toSorted(
      (a, b) => (b.to - b.from) / Math.max(Math.abs(b.to), 1) - (a.to - a.from) / Math.max(Math.abs(a.to), 1),
    )
}

function pair([base, head]: readonly [number, number]): { base: number; head: number } {
  return { base, head }
}
