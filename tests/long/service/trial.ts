import { setTimeout as pause } from 'node:timers/promises'
import { operations } from '@flamegate/contract'
import type { Person } from '../../system/person.ts'
import { waitFor } from '../load-faults/load-fleet.ts'
import type { Fault } from './faults.ts'
import type { Ledger } from './ledger.ts'
import type { Service } from './service.ts'
import type { Tenant } from './tenants.ts'
import type { Call } from './workload.ts'

/** What goes on while faults come: calls of clients, and load tests of a person. */
interface Traffic {
  service: Service
  tenants: Tenant[]
  calls: Call[]
  ledger: Ledger
  owner: Person
  scenarioId: string
}

export interface TrialOutcome {
  name: string
  title: string
  promise: string
  /** How long the fault lasted. */
  lastedSeconds: number
  /** Of its beginning until all was well again: calls, and those that were not answered. */
  callCount: number
  failedCount: number
  /** From the end of the fault to the last call that failed; 0: none did. */
  recoveredAfterSeconds: number
  acknowledged: number
  lost: string[]
  /** Clients that the SDK sent to the browser while tokens could not be refreshed, and those that could do nothing else. */
  sentToBrowser: number
  loggedOut: number
  /** How the load test ended that was under way. */
  loadTest: string
  wrong: string[]
  failures: string[]
}

/** Without a failure for that long, all is well. */
const quietMs = 8_000
const recoveryMost = 120_000

/** Of a fault that could not be tried to its end. */
export function brokenOff({ name, title, promise }: Fault, error: unknown): TrialOutcome {
  return {
    name,
    title,
    promise,
    lastedSeconds: 0,
    callCount: 0,
    failedCount: 0,
    recoveredAfterSeconds: 0,
    acknowledged: 0,
    lost: [],
    sentToBrowser: 0,
    loggedOut: 0,
    loadTest: 'unknown',
    wrong: [`It could not be tried: ${String(error)}`],
    failures: [],
  }
}

/** Does it to the service in the middle of its work, and holds what came of it against what is promised. */
export async function tryFault(traffic: Traffic, fault: Fault): Promise<TrialOutcome> {
  const { service, tenants, calls, ledger } = traffic
  const clients = tenants.flatMap((tenant) => tenant.clients)
  const ledgerFrom = ledger.acknowledged.length
  for (const client of clients) client.takeSentToBrowser()
  const loadTest = await startLoadTest(traffic)
  const callsFrom = calls.length
  const startedAtMs = performance.now()
  await fault.inflict(service)
  const healedAtMs = performance.now()

  const failuresSince = () =>
    calls.slice(callsFrom).filter(({ failure }) => failure !== undefined && failure.kind !== 'limited')
  const lastFailureAtMs = () => Math.max(healedAtMs, ...failuresSince().map(endOf))
  while (performance.now() - lastFailureAtMs() < quietMs && performance.now() - healedAtMs < recoveryMost)
    await pause(500)
  const recoveredAfterSeconds = (lastFailureAtMs() - healedAtMs) / 1000
  const wrong: string[] = []
  if (recoveredAfterSeconds * 1000 > fault.recoversWithinMs)
    wrong.push(`It took ${recoveredAfterSeconds.toFixed(0)} s until all calls were answered again.`)

  // Every one of them, whether it was in the middle of something or not.
  const loggedOut = (await Promise.all(clients.map(isLoggedOut))).filter(Boolean).length
  if (loggedOut > 0) wrong.push(`${loggedOut} clients have to log in again.`)
  const ended = await endOfLoadTest(traffic, loadTest)
  if (!ended.isDefined) wrong.push(`The load test did not end: ${ended.words}.`)
  else if (fault.loadTestFinishes && ended.words !== 'FINISHED')
    wrong.push(`The load test did not finish: ${ended.words}`)
  const lost = await ledger.readBack(ledgerFrom)
  if (lost.length > 0) wrong.push(`${lost.length} acknowledged writes are not as they were acknowledged.`)

  const failed = failuresSince()
  if (!fault.callsMayFail && failed.length > 0) wrong.push(`${failed.length} calls failed.`)
  return {
    name: fault.name,
    title: fault.title,
    promise: fault.promise,
    lastedSeconds: (healedAtMs - startedAtMs) / 1000,
    callCount: calls.length - callsFrom,
    failedCount: failed.length,
    recoveredAfterSeconds,
    acknowledged: ledger.acknowledged.length - ledgerFrom,
    lost,
    sentToBrowser: clients.filter((client) => client.takeSentToBrowser()).length,
    loggedOut,
    loadTest: ended.words,
    wrong,
    failures: [...new Set(failed.map(({ failure }) => failure?.message ?? ''))].slice(0, 8),
  }
}

const endOf = ({ startedAtMs, durationMs }: Call) => startedAtMs + durationMs

async function isLoggedOut(client: Tenant['clients'][number]): Promise<boolean> {
  for (let tries = 0; tries < 5; tries += 1) {
    const isIn = await client.call(operations.getCurrentUser, {}).then(
      () => true,
      () => false,
    )
    if (isIn) return false
    await pause(2_000)
  }
  return true
}

/** One that is under way: it has answers. */
async function startLoadTest({ service, owner, scenarioId }: Traffic): Promise<string> {
  const { client, workspaceId } = owner
  // Those that were away in the fault before, too.
  await waitFor('the agents', 180_000, async () => {
    const listed = await client.call(operations.listLoadGenerators, { workspace_id: workspaceId })
    const online = listed.load_generators.filter((each) => each.is_online)
    return online.length >= service.agents.length ? true : undefined
  })
  const { bench_result: run } = await client.call(operations.runScenario, { scenario_id: scenarioId })
  const begun = await waitFor('the first answers of the load test', 180_000, async () => {
    const { numbers, bench_result: now } = await client.call(operations.getBenchResult, {
      bench_result_id: run.id,
    })
    return (numbers?.count ?? 0) > 20 || now.ended_at !== null ? now : undefined
  })
  if (begun.ended_at !== null) throw new Error(`The load test did not begin: ${begun.message}`)
  return run.id
}

/** A defined state is one of those that it can end in, told with a message where it is not the usual one. */
async function endOfLoadTest({ owner }: Traffic, id: string): Promise<{ words: string; isDefined: boolean }> {
  try {
    return await waitFor('the end of the load test', 240_000, async () => {
      const { bench_result: run, next_poll_seconds: next } = await owner.client.call(
        operations.getBenchResult,
        {
          bench_result_id: id,
        },
      )
      if (next !== null) return undefined
      const isDefined =
        run.state === 'FINISHED' || ((run.state === 'ABORTED' || run.state === 'ERROR') && run.message !== '')
      return { words: run.state === 'FINISHED' ? run.state : `${run.state}: ${run.message}`, isDefined }
    })
  } catch (error) {
    return { words: String(error), isDefined: false }
  }
}
