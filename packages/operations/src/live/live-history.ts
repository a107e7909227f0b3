import { operations } from '@flamegate/contract'
import {
  drawnMeasure,
  isWhole,
  sectionHistory,
  sectionRows,
  sectionWindow,
  shownItem,
  viewOf,
  type LiveItem,
  type LiveMoment,
  type LiveSection,
} from '@flamegate/live'
import { implement } from '../implement.ts'
import type { LiveSnapshot } from '../ports/index.ts'
import { usualPercentiles } from './answer-section.ts'
import { headOnWire, placeOnWire } from './on-wire.ts'
import { getLiveSource } from './reaching.ts'
import { timeOfQuestion } from './time-of-question.ts'

export const liveHistory = implement(operations.liveHistory)(async (input, context) => {
  const { section, name, steps } = input
  const source = await getLiveSource(context, input.live_app_id)
  const time = await timeOfQuestion(context, source, input)
  const from = time.isSinceStart
    ? new Date(Math.min(time.to.getTime(), ...time.sessions.map(({ firstAt }) => firstAt.getTime())))
    : time.from
  const asked = new Set(time.sessions.map(({ session }) => session))
  const span = { from, to: time.to }
  const snapshots = (await source.told.history(context.caller, source.id, section, span, steps + 1)).filter(
    ({ session }) => asked.has(session),
  )
  const isWanted = wantedItems(section, snapshots, input)
  const { at, items } = await sectionHistory(
    section,
    snapshots.map((each) => ({
      ...each,
      items: each.items.filter(isWanted).map((item) => (name === undefined ? withoutHistograms(item) : item)),
    })),
    {
      ...span,
      steps,
      isApart: viewOf(section).isApart ?? false,
      percentiles: name === undefined ? [] : usualPercentiles,
    },
    giveWay,
  )
  return {
    ...headOnWire(source),
    section,
    from: from.toISOString(),
    at: at.map((end) => end.toISOString()),
    items: items.map(({ item, measures }) => {
      const drawn = drawnMeasure(section, Object.keys(measures))
      return {
        id: item.id,
        name: item.name,
        place: placeOnWire(item),
        session: item.sessions[0] ?? '',
        measures: Object.fromEntries(
          Object.entries(measures)
            .filter(([measure]) => name !== undefined || measure === drawn)
            .map(([measure, values]) => [measure, [...values]]),
        ),
      }
    }),
  }
})

/** Those of the name; else those that rows of the same time begin with. */
function wantedItems(
  section: LiveSection,
  snapshots: readonly LiveSnapshot[],
  { name, filter, limit }: { name?: string | undefined; filter?: string | undefined; limit: number },
): (item: LiveItem) => boolean {
  const nameOf = (item: LiveItem) => shownItem(section, { ...item, texts: undefined }).name
  if (name !== undefined) return (item) => nameOf(item) === name
  const moments = [...Map.groupBy(snapshots, ({ session }) => session).values()].flatMap(
    ([before, ...others]): LiveMoment[] => {
      const last = others.at(-1) ?? before
      return before === undefined || last === undefined
        ? []
        : [{ session: last.session, before, last, startedAt: before.at }]
    },
  )
  const { isApart = false } = viewOf(section)
  const window = sectionWindow(section, moments, { isSinceStart: false, isApart })
  const rows = window === undefined ? [] : sectionRows(section, window, [])
  const wanted = new Set(
    rows
      .filter(({ item }) => !isWhole(section, item))
      .map(({ item }) => item.name)
      .filter((each) => filter === undefined || each.toLowerCase().includes(filter.toLowerCase()))
      .slice(0, limit),
  )
  return (item) => wanted.has(nameOf(item))
}

/** Lets those go on who wait for the same thread. */
function giveWay(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** They are most of a snapshot, and nothing but percentiles needs them. */
function withoutHistograms(item: LiveItem): LiveItem {
  const distributions: LiveItem['distributions'] = {}
  for (const [name, told] of Object.entries(item.distributions ?? {}))
    distributions[name] = { ...told, histogram: undefined }
  return { ...item, distributions }
}
