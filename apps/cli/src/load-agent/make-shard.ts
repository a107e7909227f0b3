import { newId, operations } from '@flamegate/contract'
import type { FailureSample } from '@flamegate/loadtest-engine'
import type { Tick } from '@flamegate/series'
import { untilOver } from '../capture/until-over.ts'
import type { Share } from './load-plan.ts'
import { LoadThreads } from './load-threads.ts'
import { fetchFiles } from './project-files.ts'
import type { LoadAgentContext } from './run-load-agent.ts'
import { ShardLink, type Order, type Sample } from './shard-link.ts'

const reportSeconds = 1
/** While it waits for the start, so that it hears of it in time. */
const waitSeconds = 0.5

/** Makes one part of a run: gets ready, begins with the others, tells each second what happened, and goes on as it is told. */
export async function makeShard(context: LoadAgentContext, shardId: string): Promise<void> {
  const { patient, client, interruption, log, threads: threadsMax } = context
  const plan = await patient.call(operations.getShardPlan, { shard_id: shardId })
  const link = new ShardLink(client, { id: shardId, benchResultId: plan.bench_result_id, slot: plan.slot })
  const fail = async (error: unknown) => {
    const words = error instanceof Error ? error.message : String(error)
    log(`${plan.bench_result_id}: failed: ${words}`)
    await link.report('FAILED', words)
  }
  const first = await link.report('PREPARING')
  if (first === undefined || first.order === 'gone') return
  let threads: LoadThreads | undefined
  try {
    const share = shareOf(first) ?? { index: 0, agents: 1 }
    const files = await whilePreparing(fetchFiles(plan.files), link, interruption)
    threads = new LoadThreads(plan, share, { threadsMax, files }, (sample) => link.addSample(asTold(sample)))
    await whilePreparing(threads.ready, link, interruption)
    const begin = await untilStart(link, interruption)
    if (begin === undefined) throw new Error('It did not begin: it was stopped before that.')
    log(`${plan.bench_result_id}: begins at ${begin.start_at}`)
    const work = new ShardWork(threads, link, begin, share)
    await tellUntilDone(work, link, interruption)
    const { words } = await threads.done
    for (const each of words) log(`${plan.bench_result_id}: ${each}`)
    await tellTheRest(link, interruption.aborted ? 'FAILED' : 'DONE', words.join(' '))
    log(`${plan.bench_result_id}: done`)
  } catch (error) {
    await fail(error)
  } finally {
    await threads?.end()
  }
}

/**
 * Says that it is there while it gets ready, which takes seconds on a machine that is busy.
 * @throws what `work` rejects with, and Error when it is interrupted
 */
async function whilePreparing<T>(work: Promise<T>, link: ShardLink, interruption: AbortSignal): Promise<T> {
  const ready = work.then((value) => ({ value }))
  while (!interruption.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one report after the other
    const done = await Promise.race([ready, untilOver(reportSeconds, interruption)])
    if (done !== undefined) return done.value
    // oxlint-disable-next-line no-await-in-loop -- see above
    await link.report('PREPARING')
  }
  ready.catch(() => {})
  throw new Error('It was stopped where it runs, before it was ready.')
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
    if (order.order === 'stop' || order.order === 'gone') work.stop()
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

function asTold({ profile, action, errorClass, failure, at, exchange }: FailureSample): Sample {
  return {
    id: newId('benchSample'),
    action,
    profile,
    error_class: errorClass,
    message: failure.slice(0, 2000),
    at,
    exchange: exchange === null ? null : { ...exchange },
  }
}

/** The load of a shard while it is made. */
class ShardWork {
  /** When it is over, however it ends. */
  readonly done: Promise<void>
  isDone = false
  readonly #threads: LoadThreads
  readonly #startAt: number
  #sharesVersion: number

  constructor(threads: LoadThreads, link: ShardLink, begin: Order, share: Share) {
    this.#threads = threads
    this.#startAt = link.onOurClock(begin.start_at ?? begin.now)
    this.#sharesVersion = begin.shares_version
    threads.begin(this.#startAt, shareOf(begin) ?? share)
    this.done = threads.done.then(
      () => void (this.isDone = true),
      () => void (this.isDone = true),
    )
  }

  stop(): void {
    this.#threads.stop()
  }

  takeTicks(): Tick[] {
    return this.#threads.takeTicks()
  }

  /** Takes the share that it is told. */
  follow(order: Order): void {
    if (order.shares_version === this.#sharesVersion) return
    this.#sharesVersion = order.shares_version
    const share = shareOf(order)
    if (share !== undefined) this.#threads.setShare(share, Math.max(0, Date.now() - this.#startAt))
  }
}
