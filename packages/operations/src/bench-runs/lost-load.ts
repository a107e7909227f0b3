import type { Scenario } from '@flamegate/loadtest'
import type { BenchShard } from '../ports/index.ts'

/** What nobody made of the load of an agent group. */
export interface LostLoad {
  agentGroup: string
  /** Parts of the load that were lost, of so many. */
  parts: number
  of: number
  /** Only what these engines made is lost, for the others of the group took over the rest; none: all of it. */
  engines: readonly string[]
  /** When an agent that made it was heard of for the last time; null: it never began. */
  since: Date | null
}

type Part = Pick<BenchShard, 'agentGroup' | 'state' | 'firstShareIndex' | 'engines' | 'lastSeenAt'>

/** By the parts of a run, what of its load nobody took over from those that are gone. */
export function lostLoads(shards: readonly Part[], onAgentLost: Scenario['on_agent_lost']): LostLoad[] {
  return [...Map.groupBy(shards, ({ agentGroup }) => agentGroup)].flatMap(([agentGroup, ofGroup]) => {
    const isShared = onAgentLost === 'redistribute'
    // Whoever began took over from those who did not, before anything was lost.
    const begun = ofGroup.filter(({ firstShareIndex }) => firstShareIndex !== null)
    const all = isShared && begun.length > 0 ? begun : ofGroup
    const gone = all.filter(({ state }) => state === 'LOST' || state === 'FAILED')
    const engines = isShared && gone.length < all.length ? enginesOf(ofGroup) : []
    const isTakenOver = isShared && gone.length < all.length && engines.length === 0
    if (gone.length === 0 || isTakenOver) return []
    const [first] = gone
      .flatMap(({ lastSeenAt, firstShareIndex }) =>
        lastSeenAt === null || firstShareIndex === null ? [] : [lastSeenAt],
      )
      .toSorted((one, other) => one.getTime() - other.getTime())
    return [{ agentGroup, parts: gone.length, of: all.length, engines, since: first ?? null }]
  })
}

export function enginesOf(shards: readonly Pick<BenchShard, 'engines'>[]): string[] {
  return [...new Set(shards.flatMap(({ engines }) => engines))]
}
