import { addRegrouped } from '../regroup.ts'
import { tablesOf, type LiveTick, type RunPlan } from '../seal.ts'
import { allAgents, SeriesTable } from '../table.ts'
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
  /** By profile, with seconds that begin buckets. */
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
 * The sums with those of more ticks.
 * @param ticks of what is asked of actions whole; else they may be `totalsOfTick`
 */
export function addLive(
  before: LiveSums | undefined,
  ticks: readonly LiveTick[],
  { rowsOf, bucketSeconds }: LiveSumming,
  { containers }: RunPlan,
): LiveSums {
  const isOfActions = rowsOf === 'actions'
  const { requests } = tablesOf(ticks, ({ action }) => isOfActions || !containers.has(action))
  const tables = new Map(before?.tables)
  for (const [profile, told] of Map.groupBy(requests, ({ key }) => key.profile)) {
    const known = tables.get(profile) ?? new SeriesTable('requests')
    const sum = new SeriesTable('requests')
    addRegrouped(sum, [known, ...told.map(({ table }) => table)], {
      over: 'time',
      agentOf: (agent, place) => {
        const of = told[place - 1]
        if (of === undefined) return agent
        return isOfActions ? of.key.action : rowsOf === 'agents' ? agent : allAgents
      },
      secondOf: (second) => Math.floor(second / bucketSeconds) * bucketSeconds,
    })
    tables.set(profile, sum)
  }
  return { rowsOf, bucketSeconds, tables }
}

/** Actions that sums of them tell of. */
export function actionsOfLive({ rowsOf, tables }: LiveSums): number[] {
  if (rowsOf !== 'actions') return []
  return [...tables.values()].flatMap(({ agents, length }) => Array.from(agents.subarray(0, length)))
}
