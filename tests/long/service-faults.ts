// What happens to services happens to this one, each part of it a process of its own, while clients work: whether anything that was
// acknowledged is lost, every job ends, and clients go on without a new log-in.
//
//     npm run long -- service-faults [--only gateway,redis] [--clients 200] [--tenants 20] [--interval-seconds 6] [--write]
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { operations } from '@flamegate/contract'
import { signUpAs } from '../system/person.ts'
import { createScenario, startShop } from './load-faults/load-fleet.ts'
import { faults } from './service/faults.ts'
import { faultLines, outcomeText } from './service/fault-outcome.ts'
import { Ledger } from './service/ledger.ts'
import { writeSection } from './service/page.ts'
import { startService } from './service/service.ts'
import { signUpTenants } from './service/tenants.ts'
import { brokenOff, tryFault, type TrialOutcome } from './service/trial.ts'
import { countsInDatabase } from './service/truth.ts'
import { keepCalling, type Call } from './service/workload.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    clients: { type: 'string', default: '200' },
    tenants: { type: 'string', default: '20' },
    'interval-seconds': { type: 'string', default: '6' },
    write: { type: 'boolean', default: false },
  },
})
const clientCount = Number(values.clients)
const tenantCount = Math.min(Number(values.tenants), clientCount)
const intervalMs = Number(values['interval-seconds']) * 1_000
const only = values.only?.split(',')
const names = faults.map(({ name }) => name)
const unknown = only?.filter((name) => !names.includes(name)) ?? []
if (unknown.length > 0)
  throw new RangeError(`There is no ${unknown.join(', ')}; there are ${names.join(', ')}.`)
const [loadBefore = 0] = loadavg()

const service = await startService({
  isForFaults: true,
  settings: {
    FLAMEGATE_RATE_LIMITS: 'off',
    // So short that every client refreshes in the middle of every fault.
    FLAMEGATE_ACCESS_TOKEN_SECONDS: '30',
    // As docker-compose.yml has it.
    FLAMEGATE_DRAIN_SECONDS: '5',
  },
})
const shop = await startShop()
const { skipped } = service
const outcomes: TrialOutcome[] = []
try {
  console.log(`The service is ready at ${service.url}, behind ${service.balancer}.`)
  const tenants = await signUpTenants(service.url, tenantCount, clientCount)
  const owner = await signUpAs(service.url, 'Owner', 'owner@example.com')
  await service.startAgent(owner, 'agent-1')
  await service.startAgent(owner, 'agent-2')
  const scenarioId = await createScenario(owner, shop.url)
  // Longer than any fault.
  await owner.client.call(operations.patchScenario, {
    scenario_id: scenarioId,
    patch: [{ op: 'replace', path: '/profiles/0/load/plateau_ms', value: 45_000 }],
  })
  console.log(`${clientCount} clients of ${tenantCount} workspaces are logged in.`)

  const calls: Call[] = []
  const ledger = new Ledger()
  const over = new AbortController()
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
  await pause(5_000)
  const traffic = { service, tenants, calls, ledger, owner, scenarioId }
  for (const fault of faults) {
    if (only !== undefined && !only.includes(fault.name)) continue
    const reason = fault.skipped?.(service)
    if (reason !== undefined) {
      skipped.push(`${fault.title}, because ${reason}`)
      continue
    }
    const outcome = await tryFault(traffic, fault).catch((error: unknown) => brokenOff(fault, error))
    outcomes.push(outcome)
    console.log(outcomeText(outcome))
  }
  over.abort()
  await work

  const lost = await ledger.readBack()
  const truth = await countsInDatabase(service.adminUrl(), ledger)
  const { lines, wrong } = faultLines({
    loadBefore,
    clientCount,
    tenantCount,
    balancer: service.balancer,
    skipped,
    outcomes,
    lost,
    truth,
  })
  console.log(lines.join('\n'))
  for (const each of lost.slice(0, 20)) console.log(`  LOST ${each}`)
  for (const what of skipped) console.log(`SKIPPED: ${what}`)
  for (const each of wrong) console.log(`WRONG: ${each}`)
  // The page tells of whole runs, and of others when it is asked for.
  if (values.write || only === undefined) await writeSection('service-faults', lines)
  if (wrong.length > 0) process.exitCode = 1
} finally {
  shop.stop()
  await service.stop()
}
process.exit()
