import { engineTitle, type Scenario } from '@flamegate/loadtest'
import { enginesOf, lostLoads } from './lost-load.ts'
import type { BenchChange, BenchEvent, BenchResult, BenchShard, ShardState } from '../ports/index.ts'

/** Whoever says nothing for so long is lost. */
export const lostAfterMs = 10_000
/** From the decision to the start: every generator has asked by then. */
const startInMs = 3_000
/** How long users may take for their last steps, and what the clock may be off, before a run is ended. */
const overtimeMs = 120_000
/** A generator that was told to stop drains within five seconds. */
const stopWithinMs = 20_000

const ended: ReadonlySet<ShardState> = new Set<ShardState>(['DONE', 'FAILED', 'LOST'])
export const hasShardEnded = (shard: Pick<BenchShard, 'state'>) => ended.has(shard.state)

/**
 * What is to be done now about a run that has not ended: the one place where that is decided.
 * @param heardSince since when agents can be heard: before that, silence says nothing about them
 * @param dealsValues whether agents have values of files, counters and lists each for itself
 */
export function decide(
  run: BenchResult,
  shards: readonly BenchShard[],
  onAgentLost: Scenario['on_agent_lost'],
  now: Date,
  heardSince?: Date,
  dealsValues = false,
): BenchChange {
  const decision = new Decision(run, shards, now, heardSince, dealsValues)
  if (run.state === 'PENDING' || run.state === 'PREPARING') decision.beforeStart(onAgentLost)
  if (run.state === 'RUNNING') decision.whileRunning(onAgentLost)
  if (run.state === 'STOPPING') decision.whileStopping()
  return decision.change()
}

class Decision {
  readonly #run: BenchResult
  readonly #shards: BenchShard[]
  readonly #before: readonly BenchShard[]
  readonly #now: Date
  readonly #heardSinceMs: number
  readonly #dealsValues: boolean
  readonly #change: BenchChange['run'] = {}
  readonly #events: BenchEvent[] = []

  constructor(
    run: BenchResult,
    shards: readonly BenchShard[],
    now: Date,
    heardSince: Date | undefined,
    dealsValues: boolean,
  ) {
    this.#dealsValues = dealsValues
    this.#run = run
    this.#before = shards
    this.#shards = shards.map((shard) => ({ ...shard }))
    this.#now = now
    this.#heardSinceMs = heardSince?.getTime() ?? 0
  }

  beforeStart(onAgentLost: Scenario['on_agent_lost']): void {
    if (this.#run.stopAskedAt !== null) return this.#end('ABORTED', 'It was stopped before it began.')
    for (const shard of this.#silent()) {
      shard.state = 'WAITING'
      this.#tell('agent', `The agent of slot ${shard.slot} is gone; another one may take its place.`)
    }
    const ready = this.#shards.filter(({ state }) => state === 'READY')
    const missing = this.#shards.filter((shard) => shard.state !== 'READY' && !hasShardEnded(shard))
    if (missing.length === 0) {
      return ready.length > 0
        ? this.#start()
        : this.#end('ERROR', `No agent could begin. ${this.#shards[0]?.message ?? ''}`.trim())
    }
    const { agentWaitMs } = this.#run
    if (this.#passed(this.#run.createdAt) < agentWaitMs) {
      if (this.#run.state === 'PENDING' && this.#shards.some(({ state }) => state !== 'WAITING'))
        this.#become('PREPARING', 'Agents get ready.')
      return
    }
    const groups = [...new Set(missing.map(({ agentGroup }) => agentGroup))]
    const words = `${missing.length} of ${this.#shards.length} agents were not ready within ${agentWaitMs / 1000} s (group ${groups.join(', ')}).`
    const engines = enginesOf(missing)
    const allowing = engines.length === 0 ? '' : ` --allow-engine ${engines.join(',')}`
    if (ready.length === 0 || onAgentLost === 'stop')
      return this.#end('ERROR', `${words} Start one: flamegate agent --group ${groups[0]}${allowing}`)
    for (const shard of missing) this.#lose(shard, 'It was not ready in time.')
    this.#tell('warning', words)
    for (const group of groups) this.#loseShare(group, onAgentLost)
    this.#start()
  }

  whileRunning(onAgentLost: Scenario['on_agent_lost']): void {
    for (const shard of this.#silent()) {
      this.#lose(shard, `Nothing was heard of it for ${lostAfterMs / 1000} s.`)
      this.#tell(
        'agent',
        `The agent of slot ${shard.slot} (${shard.agentGroup}) was lost: nothing was heard of it for ${lostAfterMs / 1000} s.`,
      )
    }
    const gone = this.#shards.filter(
      (shard, index) =>
        (shard.state === 'LOST' || shard.state === 'FAILED') &&
        shard.shareIndex !== null &&
        this.#before[index]?.shareIndex !== null,
    )
    for (const group of new Set(gone.map(({ agentGroup }) => agentGroup))) this.#loseShare(group, onAgentLost)
    const { startedAt, durationMs } = this.#run
    const isLate = startedAt !== null && this.#passed(startedAt) > durationMs + overtimeMs
    if (isLate) this.#stop('It did not end by itself, and is ended.')
    else if (this.#run.stopAskedAt !== null) this.#become('STOPPING', 'It was stopped.')
  }

  whileStopping(): void {
    if (this.#passed(this.#run.stopAskedAt ?? this.#now) < stopWithinMs) return
    for (const shard of this.#shards)
      if (!hasShardEnded(shard)) this.#lose(shard, 'It did not say that it stopped.')
  }

  change(): BenchChange {
    return {
      run: this.#change,
      shards: this.#shards.filter((shard, index) => !isSame(shard, this.#before[index])),
      events: this.#events,
    }
  }

  /** Those that had something to say, and said nothing. */
  #silent(): BenchShard[] {
    return this.#shards.filter(
      ({ state, lastSeenAt }) =>
        (state === 'PREPARING' || state === 'READY' || state === 'RUNNING') &&
        this.#now.getTime() - Math.max(lastSeenAt?.getTime() ?? 0, this.#heardSinceMs) > lostAfterMs,
    )
  }

  /** The load of those of a group that are gone goes to the others of it, or the run says that it is missing, or ends. */
  #loseShare(group: string, onAgentLost: Scenario['on_agent_lost']): void {
    const ofGroup = this.#shards.filter(({ agentGroup }) => agentGroup === group)
    const alive = ofGroup.filter((shard) => !hasShardEnded(shard))
    for (const shard of ofGroup) {
      if (shard.state !== 'LOST' && shard.state !== 'FAILED') continue
      shard.shareIndex = null
      shard.shareCount = null
    }
    if (onAgentLost === 'stop') return this.#stop('An agent was lost, and the scenario says to stop then.')
    // How far it got nobody knows, and a value that is given twice is worse than one that is not used.
    if (this.#dealsValues && this.#run.state === 'RUNNING')
      this.#tell('warning', 'What it had not used yet of its part of files, counters and lists stays unused.')
    const engines = enginesOf(ofGroup)
    if (onAgentLost === 'redistribute' && alive.length > 0) {
      for (const [index, shard] of alive.entries()) {
        shard.shareIndex = index
        shard.shareCount = alive.length
      }
      this.#change.sharesVersion = this.#run.sharesVersion + 1
      this.#tell('load', `Its users go to the ${alive.length} agents of ${group} that are left.`)
      // What has not begun yet begins with the new shares.
      if (engines.length === 0 || this.#run.state !== 'RUNNING') return
      this.#tell(
        'warning',
        `What it ran of ${engines.map(engineTitle).join(' and ')} is not taken over by the others.`,
      )
    }
    this.#change.isDegraded = true
    const [lost] = lostLoads(ofGroup, onAgentLost)
    const whose =
      lost === undefined || lost.engines.length === 0
        ? ''
        : ` of ${lost.engines.map(engineTitle).join(' and ')}`
    const share =
      lost === undefined ? '' : `: ${lost.parts} of ${lost.of} parts are gone (${percent(lost)} %)`
    this.#tell('warning', `The load${whose} of ${group} is less than was asked for from here on${share}.`)
  }

  #start(): void {
    this.#change.startedAt = new Date(this.#now.getTime() + startInMs)
    const beginning = this.#shards.filter((shard) => !hasShardEnded(shard))
    for (const ofGroup of Map.groupBy(beginning, ({ agentGroup }) => agentGroup).values())
      for (const [index, shard] of ofGroup.entries()) {
        shard.firstShareIndex = index
        shard.firstShareCount = ofGroup.length
      }
    this.#become('RUNNING', '')
  }

  #stop(words: string): void {
    this.#change.stopAskedAt = this.#now
    this.#become('STOPPING', words)
  }

  #end(state: 'ABORTED' | 'ERROR', words: string): void {
    this.#change.endedAt = this.#now
    for (const shard of this.#shards) if (!hasShardEnded(shard)) this.#lose(shard, words)
    this.#become(state, words)
  }

  #lose(shard: BenchShard, words: string): void {
    shard.state = 'LOST'
    shard.message = words
  }

  #become(state: BenchResult['state'], words: string): void {
    this.#change.state = state
    this.#change.message = words
    this.#tell('state', words === '' ? state : `${state}: ${words}`)
  }

  #tell(kind: BenchEvent['kind'], words: string): void {
    this.#events.push({ at: this.#now.toISOString(), kind, words })
  }

  #passed(since: Date): number {
    return this.#now.getTime() - since.getTime()
  }
}

function percent({ parts, of }: { parts: number; of: number }): number {
  return Math.round((100 * parts) / of)
}

function isSame(shard: BenchShard, before: BenchShard | undefined): boolean {
  return (
    before !== undefined &&
    (['state', 'message', 'shareIndex', 'shareCount', 'firstShareIndex', 'firstShareCount'] as const).every(
      (field) => shard[field] === before[field],
    )
  )
}
