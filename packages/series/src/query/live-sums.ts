import { HistogramSum } from '../histogram-sum.ts'
import { asTheyAre, regroup } from '../regroup.ts'
import { actionsOfTicks, type LiveTick, type RunPlan } from '../seal.ts'
import { allAgents, SeriesTable } from '../table.ts'
import { addAction } from '../tick-bytes.ts'
import { agentsApart, isByAction, isOfMany, type QuestionPlan, type SeriesQuestion } from './question.ts'

/** What rows there are of each profile: of each action, of each agent, or of all together. */
type RowsOf = 'actions' | 'agents' | 'all'

/** How live ticks are added up for a question. What is the same for others is added up once for all of them. */
export interface LiveSumming {
  rowsOf: RowsOf
  bucketSeconds: number
}

/**
 * What live ticks tell of requests, added up: to be kept until the next question, because what was told of a second stays as it
 * is. Never changed.
 */
export interface LiveSums extends LiveSumming {
  /** By profile, with seconds that begin buckets; of one bucket there may be several rows. */
  tables: ReadonlyMap<number, SeriesTable>
}

/**
 * Undefined where ticks are read themselves: of gauges, of a few actions, which are soon found in them, and of actions second by
 * second, of which sums would be as large.
 */
export function liveSummingOf(
  question: SeriesQuestion,
  { bucketSeconds }: QuestionPlan,
): LiveSumming | undefined {
  if (question.kind !== 'requests') return undefined
  if (isByAction(question))
    return isOfMany(question) && bucketSeconds >= 10 ? { rowsOf: 'actions', bucketSeconds } : undefined
  return { rowsOf: agentsApart(question) ? 'agents' : 'all', bucketSeconds }
}

/**
 * The sums of ticks: several threads may each make those that nobody else makes.
 * @param ticks of what is asked of actions whole; else they may be `totalsOfTick`
 * @param isMine asked of each series, by rising numbers
 */
export function sumLive(
  ticks: readonly LiveTick[],
  { rowsOf, bucketSeconds }: LiveSumming,
  { containers }: RunPlan,
  isMine: (piece: number) => boolean = () => true,
): LiveSums {
  const isOfActions = rowsOf === 'actions'
  const isOfAgents = rowsOf === 'agents'
  const tables = new Map<number, SeriesTable>()
  const times = { service: new HistogramSum(), late: new HistogramSum() }
  const endRow = (sum: SeriesTable) => {
    times.service.drainInto(sum.service)
    times.late.drainInto(sum.late)
  }
  // What goes into the same row comes one after the other.
  const { read, actions } = actionsOfTicks(ticks, !isOfAgents)
  let piece = 0
  for (const { key, rows } of actions) {
    if (!isMine(piece++) || (!isOfActions && containers.has(key.action))) continue
    const sum = tables.get(key.profile) ?? new SeriesTable('requests')
    tables.set(key.profile, sum)
    let row = -1
    for (let at = 0; at < rows.length; at += 2) {
      const tick = read[rows[at] ?? 0]
      if (tick === undefined) continue
      const agent = isOfActions ? key.action : isOfAgents ? tick.agent : allAgents
      const second = Math.floor(tick.second / bucketSeconds) * bucketSeconds
      const last = sum.length - 1
      if (row < 0 || sum.agents[last] !== agent || sum.seconds[last] !== second) {
        if (row >= 0) endRow(sum)
        row = sum.add(agent, second)
      }
      addAction(sum.columns, row, times, tick.reader, tick.actions, rows[at + 1] ?? 0)
    }
    if (row >= 0) endRow(sum)
  }
  return { rowsOf, bucketSeconds, tables }
}

/** All of them together, of the same summing. */
export function joinLive(summing: LiveSumming, parts: readonly LiveSums[]): LiveSums {
  const [first, ...others] = parts
  if (first !== undefined && others.length === 0) return first
  const tables = new Map<number, SeriesTable>()
  for (const profile of new Set(parts.flatMap((part) => [...part.tables.keys()]))) {
    const ofProfile = parts.flatMap((part) => part.tables.get(profile) ?? [])
    tables.set(profile, regroup('requests', ofProfile, asTheyAre))
  }
  return { ...summing, tables }
}

/** Actions that sums of them tell of. */
export function actionsOfLive({ rowsOf, tables }: LiveSums): number[] {
  if (rowsOf !== 'actions') return []
  return [...tables.values()].flatMap(({ agents, length }) => Array.from(agents.subarray(0, length)))
}
