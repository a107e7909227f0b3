import { setTimeout as sleep } from 'node:timers/promises'
import { getShardPlan } from '@flamegate/contract/bench-runs/get-shard-plan'
import { newId } from '@flamegate/contract/id'
import { holdsOthers } from '@flamegate/loadtest/running'
import type { DealtShare, FailureSample, MeasuredPageLoad } from '@flamegate/loadtest-engine'
import type { KeptFailure } from '@flamegate/loadtest/results'
import type { Tick } from '@flamegate/series'
import { untilOver } from '../capture/until-over.ts'
import { dealtShares } from './dealt-shares.ts'
import { groupsOfVariables, threadParts, type Share } from './load-plan.ts'
import { LoadThreads } from './load-threads.ts'
import { OtherEngines } from './other-engines/other-engines.ts'
import { fetchFiles } from './project-files.ts'
import { RequestUploads } from './request-uploads.ts'
import type { LoadAgentContext } from './run-load-agent.ts'
import { ShardLink, type Order, type PageLoad, type Sample } from './shard-link.ts'
import { ShardLoad } from './shard-load.ts'
import { ShardLog } from './shard-log.ts'
import { TraceUploads } from './trace-uploads.ts'

const reportSeconds = 1
/** While it waits for the start, so that it hears of it in time. */
const waitSeconds = 0.5

/** Makes one part of a run: gets ready, begins with the others, tells each second what happened, and goes on as it is told. */
export async function makeShard(
  context: LoadAgentContext,
  { shardId, loadGeneratorId }: { shardId: string; loadGeneratorId: string },
): Promise<void> {
  const { patient, client, interruption, threads: threadsMax, browserUsersMax } = context
  const plan = await patient.call(getShardPlan, { shard_id: shardId })
  const holders = new Set(plan.actions.flatMap((action, place) => (holdsOthers(action) ? [place] : [])))
  const shardLog = new ShardLog(holders)
  /** Here, and for whoever reads of the run. */
  const log = (words: string) => {
    context.log(`${plan.bench_result_id}: ${words}`)
    shardLog.note(words)
  }
  const of = { id: shardId, benchResultId: plan.bench_result_id, slot: plan.slot, loadGeneratorId }
  const link = new ShardLink(client, of, shardLog)
  const uploads = new RequestUploads(client, shardId, log)
  const traces = new TraceUploads(client, shardId, log)
  const fail = async (error: unknown) => {
    const words = error instanceof Error ? error.message : String(error)
    log(`failed: ${words}`)
    // Where even that cannot be told, the platform finds out by the silence; other parts of runs are made all the same.
    try {
      await link.report('FAILED', words)
    } catch (cause) {
      log(`could not tell it: ${String(cause)}`)
    }
  }
  log(`${context.name} gets ready, version ${context.version}, ${plan.files.length} project files`)
  const first = await link.report('PREPARING')
  if (first === undefined || first.order === 'gone') return
  let load: ShardLoad | undefined
  try {
    const share = shareOf(first) ?? { index: 0, agents: 1 }
    const files = await whilePreparing(fetchFiles(plan.files), link, interruption)
    const engines = new OtherEngines(plan, files, {
      installed: context.engines,
      declare: async (actions) => {
        const places = await link.declare([...actions])
        for (const [index, place] of places?.entries() ?? [])
          if (holdsOthers(actions[index] ?? { type: '' })) holders.add(place)
        return places
      },
      onFailure: (failure) => link.addSample(failureAsTold(failure)),
      log,
      requests: uploads,
      firstThread: threadParts(plan, threadsMax, files).length,
    })
    const threads = new LoadThreads(
      plan,
      share,
      { threadsMax, browserUsersMax, files },
      {
        onSample: (sample) => link.addSample(asTold(sample)),
        onPageLoad: (pageLoad) => link.addPageLoad(pageLoadAsTold(pageLoad)),
        onPageTrace: (trace) => traces.add(trace),
        onRequests: (frame, rows) => uploads.add(frame, rows),
      },
    )
    load = new ShardLoad(threads, engines)
    await whilePreparing(load.ready, link, interruption)
    const groupsOf = await whilePreparing(groupsOfVariables(plan, files), link, interruption)
    const begin = await untilStart(link, interruption)
    if (begin === undefined) throw new Error('It did not begin: it was stopped before that.')
    log(`begins at ${begin.start_at}`)
    const now = shareOf(begin) ?? share
    const dealt = dealtShares(plan, groupsOf, firstShareOf(begin) ?? now, begin.groups_at_start)
    const work = new ShardWork(load, link, begin, now, dealt)
    await tellUntilDone(work, link, shardLog, interruption)
    const { words } = await load.done
    for (const each of words) log(each)
    log(`its users have ended: ${shardLog.totals}`)
    await whileSending([uploads, traces], link)
    await tellTheRest(link, interruption.aborted ? 'FAILED' : 'DONE', words.join(' '))
    context.log(`${plan.bench_result_id}: done`)
  } catch (error) {
    await fail(error)
  } finally {
    uploads.stop()
    traces.stop()
    await load?.end()
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

async function tellUntilDone(
  work: ShardWork,
  link: ShardLink,
  log: ShardLog,
  interruption: AbortSignal,
): Promise<void> {
  const take = () => {
    const ticks = work.takeTicks()
    log.addTicks(ticks)
    link.addTicks(ticks)
  }
  while (!work.isDone) {
    // oxlint-disable-next-line no-await-in-loop -- one report after the other
    await Promise.race([untilOver(reportSeconds, interruption), work.done])
    if (interruption.aborted) work.stop()
    take()
    // oxlint-disable-next-line no-await-in-loop -- see above
    const order = await link.report('RUNNING')
    if (order === undefined) continue
    if (order.order === 'stop' || order.order === 'gone') work.stop()
    work.follow(order)
    // Whoever is interrupted waits no more, and would go round for ever.
    // oxlint-disable-next-line no-await-in-loop -- see above
    if (interruption.aborted) await Promise.race([work.done, new Promise((go) => setTimeout(go, 200))])
  }
  take()
}

/** Says that it is there until what its files are made of is with the platform, or nobody waits for it any more. */
async function whileSending(
  uploads: readonly (RequestUploads | TraceUploads)[],
  link: ShardLink,
): Promise<void> {
  const sent = Promise.all(uploads.map((each) => each.end())).then(() => true)
  for (let attempt = 0; attempt < 600; attempt++) {
    // oxlint-disable-next-line no-await-in-loop -- one report after the other
    if (await Promise.race([sent, sleep(reportSeconds * 1000, false)])) return
    // oxlint-disable-next-line no-await-in-loop -- see above
    const order = await link.report('RUNNING')
    if (order?.order === 'gone') for (const each of uploads) each.stop()
  }
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

function firstShareOf({ first_share_index: index, first_share_count: agents }: Order): Share | undefined {
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

function pageLoadAsTold({
  ttfbMs: ttfb,
  fcpMs: fcp,
  lcpMs: lcp,
  inpMs: inp,
  ...rest
}: MeasuredPageLoad): Omit<PageLoad, 'sequence'> {
  return { ...rest, ttfb, fcp, lcp, inp }
}

function failureAsTold({ errorClass, at, ...failure }: KeptFailure & { profile: number }): Sample {
  return { id: newId('benchSample'), ...failure, error_class: errorClass, at: at.toISOString() }
}

/** The load of a shard while it is made. */
class ShardWork {
  /** When it is over, however it ends. */
  readonly done: Promise<void>
  isDone = false
  readonly #load: ShardLoad
  readonly #startAt: number
  #sharesVersion: number

  constructor(load: ShardLoad, link: ShardLink, begin: Order, share: Share, dealt: readonly DealtShare[]) {
    this.#load = load
    this.#startAt = link.onOurClock(begin.start_at ?? begin.now)
    this.#sharesVersion = begin.shares_version
    load.begin(this.#startAt, share, dealt)
    this.done = load.done.then(
      () => void (this.isDone = true),
      () => void (this.isDone = true),
    )
  }

  stop(): void {
    this.#load.stop()
  }

  takeTicks(): Tick[] {
    return this.#load.takeTicks()
  }

  /** Takes the share that it is told. */
  follow(order: Order): void {
    if (order.shares_version === this.#sharesVersion) return
    this.#sharesVersion = order.shares_version
    const share = shareOf(order)
    if (share !== undefined) this.#load.setShare(share, Math.max(0, Date.now() - this.#startAt))
  }
}
