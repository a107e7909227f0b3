import { Problem, type operations, type OutputOf } from '@flamegate/contract'
import {
  newestEntries,
  sectionRows,
  sectionWindow,
  shownItem,
  type LiveItem,
  type LiveMoment,
  type LiveSection,
} from '@flamegate/live'
import type { CallContext } from '../implement.ts'
import type { LiveApp } from '../ports/index.ts'
import { usualPercentiles } from './answer-section.ts'
import { headOnWire, rowOnWire, sectionOnWire } from './on-wire.ts'
import { getLiveApp, sourceOf } from './reaching.ts'
import { timeOfQuestion } from './time-of-question.ts'

type Answer = OutputOf<typeof operations.functionTimingLogs>

/** Which item: by its name, by its id, or by either of the two. */
export interface WantedItem {
  name?: string | undefined
  id?: string | undefined
  nameOrId?: string | undefined
}

/** Items that are asked for their logs at most, of as many processes. */
const itemsMax = 20

/** The newest entries of one item's log, of all processes that have it; of all items when none is named. */
export async function answerLog(
  context: CallContext,
  section: LiveSection,
  { live_app_id: appId, limit }: { live_app_id: string; limit: number },
  wanted: WantedItem,
): Promise<Answer> {
  const app = await getLiveApp(context, appId)
  const source = sourceOf(context, app)
  const time = await timeOfQuestion(context, source, {})
  const pushing = await time.moments(section)
  const target = await targetOf(context, app, section, pushing, wanted)
  const { entries, lost } = await readEntries(context, app, section, target, limit)
  const window = sectionWindow(section, target.isAll ? [] : only(pushing, target), {
    isSinceStart: true,
    isApart: false,
  })
  const row = window === undefined ? undefined : sectionRows(section, window, usualPercentiles)[0]
  return {
    ...headOnWire(source),
    section: sectionOnWire(section, time.sessions),
    item: row === undefined ? null : { ...rowOnWire(row), share_percent: null },
    entries,
    lost,
  }
}

/** Items of processes, the newest process first. */
interface Target {
  isAll: boolean
  items: readonly { session: string; item: LiveItem }[]
}

/** @throws Problem `live_item_not_found` */
async function targetOf(
  context: CallContext,
  app: LiveApp,
  section: LiveSection,
  pushing: readonly LiveMoment[],
  wanted: WantedItem,
): Promise<Target> {
  const isAll = Object.values(wanted).every((value) => value === undefined)
  const now = itemsOf(
    section,
    pushing.map(({ session, last }) => ({ session, ...last })),
  )
  const found = isAll ? now : matching(now, wanted)
  if (found.length > 0) return { isAll, items: found }
  // It may be of a process that is gone.
  const moments = await context.deps.stores.live.moments(context.caller, app.id, section, {})
  const ever = itemsOf(
    section,
    moments.map(({ last }) => last),
  )
  const items = isAll ? ever : matching(ever, wanted)
  if (isAll || items.length > 0) return { isAll, items }
  const names = [...new Set(ever.map(({ item }) => item.name))].slice(0, 10)
  throw new Problem(
    'live_item_not_found',
    `Nothing in ${section} is called so. ${names.length === 0 ? 'The app tells nothing there.' : `There are, for instance: ${names.join(', ')}.`}`,
  )
}

function itemsOf(
  section: LiveSection,
  snapshots: readonly { session: string; at: Date; items: readonly LiveItem[] }[],
): Target['items'] {
  return snapshots
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .flatMap(({ session, items }) => items.map((item) => ({ session, item: shownItem(section, item) })))
}

/** An id is of one process; what has the name and place of its item in the others is the same, as in summaries. */
function matching(all: Target['items'], { name, id, nameOrId }: WantedItem): Target['items'] {
  const first =
    id === undefined && nameOrId === undefined
      ? undefined
      : all.find(({ item }) => item.id === (id ?? nameOrId))
  if (first === undefined) {
    const called = name ?? nameOrId
    return id === undefined ? all.filter(({ item }) => item.name === called) : []
  }
  return all.filter(
    ({ item }) =>
      item.name === (name ?? first.item.name) &&
      item.name === first.item.name &&
      JSON.stringify(item.place) === JSON.stringify(first.item.place),
  )
}

/** Only these items of each process. */
function only(pushing: readonly LiveMoment[], { items }: Target): LiveMoment[] {
  return pushing.flatMap((moment) => {
    const ids = new Set(items.filter(({ session }) => session === moment.session).map(({ item }) => item.id))
    const told = moment.last.items.filter(({ id }) => ids.has(id))
    return told.length === 0 ? [] : [{ ...moment, last: { ...moment.last, items: told } }]
  })
}

async function readEntries(
  context: CallContext,
  app: LiveApp,
  section: LiveSection,
  { isAll, items }: Target,
  entriesMax: number,
): Promise<Pick<Answer, 'entries' | 'lost'>> {
  const { live } = context.deps.stores
  const asked = isAll
    ? [{}]
    : items.slice(0, itemsMax).map(({ session, item }) => ({ session, item: item.id }))
  const logs = await Promise.all(
    asked.map((each) => live.logs(context.caller, app.id, section, { ...each, span: {}, entriesMax })),
  )
  const names = new Map(items.map(({ session, item }) => [`${session} ${item.id}`, item.name]))
  return {
    entries: newestEntries(section, logs.flat(), entriesMax).map((entry) => ({
      at: new Date(entry.atMs).toISOString(),
      name: names.get(`${entry.session} ${entry.item}`) ?? entry.item,
      session: entry.session,
      measures: entry.measures,
      kind: entry.kind,
      thread: entry.thread,
      text: entry.text,
    })),
    lost: logs.flat().reduce((sum, { lost = 0 }) => sum + lost, 0),
  }
}
