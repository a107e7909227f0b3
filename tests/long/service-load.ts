// Many MCP clients of many workspaces on the whole service, each part of it a process of its own: whether every call is answered,
// how long that takes, whether memory stays what it is, and whether others feel what a tenant sends beyond its limits.
//
//     npm run long -- service-load [--minutes 10] [--clients 200] [--tenants 20] [--interval-seconds 6] [--write]
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { operations } from '@flamegate/contract'
import { signUpAs } from '../system/person.ts'
import { createScenario, startShop } from './load-faults/load-fleet.ts'
import {
  burstShare,
  fairnessOf,
  loadLines,
  phaseKindOf,
  toolRows,
  type LoadOutcome,
} from './service/load-outcome.ts'
import { Ledger } from './service/ledger.ts'
import { MemoryWatch, type Collected } from './service/memory.ts'
import { startNoise } from './service/noise.ts'
import { writeSection } from './service/page.ts'
import { ProcessorWatch } from './service/processor.ts'
import { startService } from './service/service.ts'
import { signUpTenants } from './service/tenants.ts'
import { keepCalling, type Call } from './service/workload.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '200' },
    tenants: { type: 'string', default: '20' },
    'interval-seconds': { type: 'string', default: '6' },
    write: { type: 'boolean', default: false },
  },
})
const minutes = Number(values.minutes)
const clientCount = Number(values.clients)
const tenantCount = Math.min(Number(values.tenants), clientCount)
const intervalMs = Number(values['interval-seconds']) * 1_000
/** The page tells of whole runs, and of others when it is asked for. */
const isTold = values.write || (minutes >= 10 && clientCount >= 200)
const [loadBefore = 0] = loadavg()

/** Of the limits of the plan, as somebody sets it whose machine is a small one: 25 calls a second of a person. */
const limitFactor = 0.25
/** Besides what its clients call, as everybody's do: within is all that is answered, so that beyond is what is refused besides. */
const perSecond = { calm: 0, within: 100 * limitFactor, beyond: 60 }
/** They take turns, so that what else changes over time is in all of them. */
const phaseMs = Math.min(30_000, (minutes * 60_000) / 4)

const service = await startService({
  isForFaults: false,
  settings: { FLAMEGATE_RATE_LIMITS: String(limitFactor), FLAMEGATE_ACCESS_TOKEN_SECONDS: '120' },
})
const shop = await startShop()
try {
  console.log(`The service is ready at ${service.url}, behind ${service.balancer}.`)
  for (const what of service.skipped) console.log(`SKIPPED: ${what}`)
  const tenants = await signUpTenants(service.url, tenantCount, clientCount)
  const noisyTenant = tenants.at(-1)
  if (noisyTenant === undefined) throw new RangeError('There are no tenants')
  console.log(`${clientCount} clients of ${tenantCount} workspaces are logged in.`)

  const owner = await signUpAs(service.url, 'Owner', 'owner@example.com')
  await service.startAgent(owner, 'agent-1')
  const scenarioId = await createScenario(owner, shop.url)
  await owner.client.call(operations.patchScenario, {
    scenario_id: scenarioId,
    patch: [{ op: 'replace', path: '/profiles/0/load/plateau_ms', value: minutes * 60_000 }],
  })
  const { bench_result: run } = await owner.client.call(operations.runScenario, { scenario_id: scenarioId })

  // A tenant that is beyond its limits is told so.
  const errorsOf = (of: readonly Call[]) =>
    of.filter(
      ({ failure, tenant }) =>
        failure !== undefined && !(tenant === noisyTenant && failure.kind === 'limited'),
    )
  const noise = await startNoise(service.url, noisyTenant)
  const calls: Call[] = []
  const ledger = new Ledger()
  const over = new AbortController()
  const memory = new MemoryWatch(() => service.pids())
  const processor = new ProcessorWatch(() => ({
    ...service.pids(),
    'the clients': process.pid,
    'the noisy tenant': noise.pid,
  }))
  const startedAtMs = performance.now()
  let began: { atMs: number; left: Map<string, Collected> } | undefined
  const work = Promise.all(
    tenants.flatMap((tenant) =>
      tenant.clients.map((client) =>
        keepCalling({
          tenant,
          client,
          intervalMs,
          ledger,
          signal: over.signal,
          onCall: (call) => void calls.push(call),
        }),
      ),
    ),
  )
  for (let phase = 0; performance.now() - startedAtMs < minutes * 60_000 - 100; phase += 1) {
    const kind = phaseKindOf(phase)
    noise.setRate(perSecond[kind ?? 'calm'])
    // In a calm one, because whoever collects answers nobody meanwhile, and compiles anew for a while: none of the pairs is to have that.
    if (began === undefined && kind === 'calm' && performance.now() - startedAtMs > (minutes * 60_000) / 3)
      began = { atMs: performance.now(), left: await service.collect() }
    const endPhase = kind === undefined ? undefined : processor.begin(kind)
    await pause(startedAtMs + Math.min((phase + 1) * phaseMs, minutes * 60_000) - performance.now())
    endPhase?.()
    console.log(
      `${Math.round((performance.now() - startedAtMs) / 1000)} s: ${calls.length} calls, ${errorsOf(calls).length} not answered, load ${loadavg()[0]?.toFixed(1)}`,
    )
  }
  // While clients still call, as when it began.
  const memoryTrends = memory.stop(began?.atMs ?? startedAtMs, began?.left, await service.collect())
  over.abort()
  const noiseCounts = await noise.stop()
  await work
  const lost = await ledger.readBack()
  const { bench_result: ended } = await owner.client.call(operations.getBenchResult, {
    bench_result_id: run.id,
  })

  const errors = errorsOf(calls)
  // What came after the last phase came while garbage was collected.
  const ofOthers = calls.filter(
    (call) => call.tenant !== noisyTenant && call.startedAtMs - startedAtMs < minutes * 60_000,
  )
  const outcome: LoadOutcome = {
    loadBefore,
    minutes,
    clientCount,
    tenantCount,
    balancer: service.balancer,
    skipped: service.skipped,
    callCount: calls.length,
    errors: errors.map(({ failure, client }) => `${client.name}: ${failure?.message}`),
    tools: toolRows(calls),
    memory: memoryTrends,
    processor: processor.shares(),
    fairness: fairnessOf(ofOthers, startedAtMs, phaseMs, burstShare),
    wholeFairness: fairnessOf(ofOthers, startedAtMs, phaseMs, 0),
    perSecond,
    noise: noiseCounts,
    acknowledged: ledger.acknowledged.length,
    lost,
    loadTest: ended,
  }
  const { lines, wrong } = loadLines(outcome)
  console.log(lines.join('\n'))
  for (const error of outcome.errors.slice(0, 20)) console.log(`  ${error}`)
  for (const each of lost.slice(0, 20)) console.log(`  LOST ${each}`)
  for (const each of wrong) console.log(`WRONG: ${each}`)
  if (isTold) await writeSection('service-load', lines)
  if (wrong.length > 0) process.exitCode = 1
  await Promise.all(
    tenants.flatMap(({ clients }) => clients.map((client) => client.close().catch(() => undefined))),
  )
} finally {
  shop.stop()
  await service.stop()
}
process.exit()
