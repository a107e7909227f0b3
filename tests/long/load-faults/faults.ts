import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@flamegate/db'
import { kill, type LoadFleet } from './load-fleet.ts'

/** What is done to a run, and what it must come to. */
export interface Fault {
  name: string
  title: string
  inflict(at: LoadFleet): Promise<void>
  state: 'FINISHED' | 'ABORTED'
  /** What the events of the run say of it. */
  words: RegExp
  /** How many answers of the server the numbers may lack: what a killed agent had not told yet. */
  missingMax: number
}

const awayMs = 12_000
const quotaBytes = 10 * 2 ** 30
/** Before a run is over the quota: a few seconds of it. */
const roomBytes = 5_000

export const agentFault: Fault = {
  name: 'agent',
  title: 'An agent is killed',
  async inflict(at) {
    const [doomed] = at.agents
    if (doomed !== undefined) await kill(doomed)
    // For the runs that come.
    await at.startAgent(`after-${doomed?.pid}`)
  },
  state: 'FINISHED',
  words: /was lost: nothing was heard of it for 10 s\.[^]*Its users go to the 1 agents/,
  missingMax: 300,
}

export const workerFault: Fault = {
  name: 'worker',
  title: `The worker is killed, and another one comes ${awayMs / 1000} s later`,
  inflict: ({ fleet }) => fleet.crashWorker(awayMs),
  state: 'FINISHED',
  words: /Nobody saw to this run for \d+ s, because a worker was gone, or the job queue had lost it/,
  missingMax: 0,
}

export const postgresFault: Fault = {
  name: 'postgres',
  title: `PostgreSQL is away for ${awayMs / 1000} s`,
  inflict: ({ fleet }) => fleet.restartPostgres(awayMs),
  state: 'FINISHED',
  words: /The database could not be reached for about \d+ s/,
  missingMax: 0,
}

export const quotaFault: Fault = {
  name: 'quota',
  title: 'The results of the workspace reach the bytes of its plan',
  async inflict({ fleet, owner }) {
    const log = { info: () => undefined, error: () => undefined }
    const database = openDatabase({ appUrl: fleet.adminUrl, authUrl: fleet.adminUrl, poolSize: 1, log })
    // As if an earlier run had left that much.
    await database.auth.query(
      `UPDATE bench_series SET chunk_bytes = $1 WHERE workspace_id = $2 AND bench_result_id = (
        SELECT id FROM bench_results WHERE workspace_id = $2 ORDER BY created_at DESC LIMIT 1)`,
      [quotaBytes - roomBytes, owner.workspaceId],
    )
    await database.close()
  },
  state: 'ABORTED',
  words: /The results of this workspace take 10240 MiB, and its plan has 10240 MiB\. The run was stopped/,
  missingMax: 0,
}

/** @param redis stopped as if the machine were gone, and started anew with nothing in it */
export function redisFault(redis: { drop(awayMs: number): Promise<void> }): Fault {
  return {
    name: 'redis',
    title: 'Redis is killed, and comes back empty 10 s later',
    inflict: () => redis.drop(10_000),
    state: 'FINISHED',
    words: /The job queue could not be reached for about \d+ s/,
    missingMax: 0,
  }
}

export interface FaultOutcome {
  title: string
  backend: string
  state: string
  message: string
  /** Seconds from the fault to the end of the run. */
  endedAfterSeconds: number
  counted: number
  answered: number
  /** What was told of the run after the fault. */
  events: string[]
  wrong: string[]
}

/** Runs a load, does it to it, and holds what came of it against what must. */
export async function tryFault(at: LoadFleet, fault: Fault, backend: string): Promise<FaultOutcome> {
  at.takeAnswered()
  const id = await at.run(25_000)
  const inflictedAt = Date.now()
  await fault.inflict(at)
  const { bench_result: run, numbers, events } = await at.ended(id, 180_000)
  const endedAfterSeconds = Math.round((Date.now() - inflictedAt) / 1000)
  // What was on its way when its agent was killed.
  await pause(200)
  const answered = at.takeAnswered()
  const counted = { all: numbers?.count ?? 0, failed: numbers?.failed ?? 0 }
  const words = events.map((event) => event.words)
  const wrong: string[] = []
  if (run.state !== fault.state) wrong.push(`It is ${run.state}, and must be ${fault.state}.`)
  if (!fault.words.test(words.join('\n'))) wrong.push(`Its events do not say ${fault.words}.`)
  for (const what of ['all', 'failed'] as const) {
    const missing = answered[what] - counted[what]
    if (missing < 0 || missing > fault.missingMax)
      wrong.push(`${counted[what]} were counted (${what}), and the server answered ${answered[what]}.`)
  }
  return {
    title: fault.title,
    backend,
    state: run.state,
    message: run.message,
    endedAfterSeconds,
    counted: counted.all,
    answered: answered.all,
    events: words,
    wrong,
  }
}
