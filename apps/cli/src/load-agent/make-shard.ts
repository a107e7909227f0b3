import { newId, operations } from '@flamegate/contract'
import { LoadGenerator } from '@flamegate/loadtest-engine'
import { profileCounters, type Tick } from '@flamegate/series'
import { untilOver } from '../capture/until-over.ts'
import { loadShard, type LoadedShard, type Share } from './load-plan.ts'
import type { LoadAgentContext } from './run-load-agent.ts'
import { ShardLink, type Order } from './shard-link.ts'

const reportSeconds = 1
/** While it waits for the start, so that it hears of it in time. */
const waitSeconds = 0.5

/** Makes one part of a run: gets ready, begins with the others, tells each second what happened, and goes on as it is told. */
export async function makeShard(context: LoadAgentContext, shardId: string): Promise<void> {
  const { patient, client, interruption, log } = context
  const plan = await patient.call(operations.getShardPlan, { shard_id: shardId })
  const link = new ShardLink(client, { id: shardId, benchResultId: plan.bench_result_id, slot: plan.slot })
  const fail = async (error: unknown) => {
    const words = error instanceof Error ? error.message : String(error)
    log(`${plan.bench_result_id}: failed: ${words}`)
    await link.report('FAILED', words)
  }
  const first = await link.report('PREPARING')
  if (first === undefined || first.order === 'gone') return
  let shard: LoadedShard
  try {
    shard = loadShard(plan, shareOf(first) ?? { index: 0, agents: 1 })
  } catch (error) {
    return fail(error)
  }
  const begin = await untilStart(link, interruption)
  if (begin === undefined) return fail(new Error('It did not begin: it was stopped before that.'))
  log(`${plan.bench_result_id}: begins at ${begin.start_at}`)
  const work = new ShardWork(shard, link, begin)
  const outcome = work.run(begin.shares_version)
  try {
    await tellUntilDone(work, link, interruption)
    const { words } = await outcome
    for (const each of words) log(`${plan.bench_result_id}: ${each}`)
    await tellTheRest(link, interruption.aborted ? 'FAILED' : 'DONE', words.join(' '))
    log(`${plan.bench_result_id}: done`)
  } catch (error) {
    work.abort()
    await fail(error)
  }
}

/** Ready, until all others are. @returns undefined when it is not to begin */
async function untilStart(link: ShardLink, interruption: AbortSignal): Promise<Order | undefined> {
  while (!interruption.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one report after the other
    const order = await link.report('READY')
    if (order?.order === 'run') return order
    if (order?.order === 'stop' || order?.order === 'gone') return undefined
    // oxlint-disable-next-line no-await-in-loop -- see above
    await untilOver(waitSeconds, interruption)
  }
  return undefined
}

async function tellUntilDone(work: ShardWork, link: ShardLink, interruption: AbortSignal): Promise<void> {
  while (!work.isDone) {
    // oxlint-disable-next-line no-await-in-loop -- one report after the other
    await Promise.race([untilOver(reportSeconds, interruption), work.done])
    if (interruption.aborted) work.stop()
    link.addTicks(work.takeTicks())
    // oxlint-disable-next-line no-await-in-loop -- see above
    const order = await link.report('RUNNING')
    if (order === undefined) continue
    if (order.order === 'stop') work.stop()
    if (order.order === 'gone') work.abort()
    work.follow(order)
    // Whoever is interrupted waits no more, and would go round for ever.
    // oxlint-disable-next-line no-await-in-loop -- see above
    if (interruption.aborted) await Promise.race([work.done, new Promise((go) => setTimeout(go, 200))])
  }
  link.addTicks(work.takeTicks())
}

/** What was measured is not lost where the platform is away for a while. */
async function tellTheRest(link: ShardLink, state: 'DONE' | 'FAILED', words: string): Promise<void> {
  const message = state === 'FAILED' ? 'The agent was stopped where it runs.' : words
  for (let attempt = 0; attempt < 600; attempt++) {
    // oxlint-disable-next-line no-await-in-loop -- one report after the other
    const order = await link.report(state, message)
    if (order !== undefined && (order.order === 'gone' || link.waiting === 0)) return
    // oxlint-disable-next-line no-await-in-loop -- see above
    if (order === undefined) await new Promise((go) => setTimeout(go, reportSeconds * 1000))
  }
}

function shareOf({ share_index: index, share_count: agents }: Order): Share | undefined {
  return index === null || agents === null ? undefined : { index, agents }
}

/** The load of a shard while it is made. */
class ShardWork {
  readonly done: Promise<void>
  readonly #finished = Promise.withResolvers<void>()
  readonly #shard: LoadedShard
  readonly #aborting = new AbortController()
  readonly #generator: LoadGenerator
  readonly #startAt: number
  #ticks: Tick[] = []
  #sharesVersion = 0
  isDone = false

  constructor(shard: LoadedShard, link: ShardLink, begin: Order) {
    this.#shard = shard
    this.done = this.#finished.promise
    this.#startAt = link.onOurClock(begin.start_at ?? begin.now)
    this.#generator = new LoadGenerator(
      { ...shard.plan, startAt: this.#startAt, signal: this.#aborting.signal },
      {
        onTick: (tick) => void this.#ticks.push(inScenario(tick, shard)),
        onSample: ({ profile, action, errorClass, failure, at, exchange }) =>
          link.addSample({
            id: newId('benchSample'),
            action,
            profile: shard.places[profile] ?? 0,
            error_class: errorClass,
            message: failure.slice(0, 2000),
            at,
            exchange: exchange === null ? null : { ...exchange },
          }),
      },
    )
    this.#followShare(begin)
  }

  async run(sharesVersion: number): Promise<{ words: readonly string[] }> {
    this.#sharesVersion = sharesVersion
    try {
      return await this.#generator.run()
    } finally {
      this.isDone = true
      this.#finished.resolve()
    }
  }

  stop(): void {
    this.#generator.stop()
  }

  abort(): void {
    this.#aborting.abort()
  }

  takeTicks(): Tick[] {
    return this.#ticks.splice(0)
  }

  /** Takes the share that it is told. */
  follow(order: Order): void {
    if (order.shares_version === this.#sharesVersion) return
    this.#sharesVersion = order.shares_version
    this.#followShare(order)
  }

  #followShare(order: Order): void {
    const share = shareOf(order)
    if (share === undefined) return
    for (const index of this.#shard.places.keys())
      this.#generator.setWantedUsers(index, this.#shard.wantedUsers(index, share))
    this.#shard.setShare(share, Math.max(0, Date.now() - this.#startAt))
  }
}

/** Profiles are counted as the scenario counts them, of which an agent may have some. */
function inScenario(tick: Tick, { places, profilesCount }: LoadedShard): Tick {
  const profiles = Array.from(
    { length: profilesCount },
    (): Float64Array => new Float64Array(profileCounters.length),
  )
  for (const [index, counters] of tick.profiles.entries()) profiles[places[index] ?? 0] = counters
  return {
    ...tick,
    actions: tick.actions.map((action) => ({ ...action, profile: places[action.profile] ?? 0 })),
    profiles,
  }
}
