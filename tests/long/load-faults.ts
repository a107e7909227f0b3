// Load tests in the middle of which an agent, the worker, PostgreSQL or Redis dies, or the quota of results is used up: whether each
// run ends in a defined state, counts exactly and tells what happened.
//
//     npm run long -- load-faults [--only agent,worker,postgres,quota,redis]
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hasRedis } from '../../packages/queue/src/test-servers.ts'
import {
  agentFault,
  postgresFault,
  quotaFault,
  redisFault,
  tryFault,
  workerFault,
  type Fault,
  type FaultOutcome,
} from './load-faults/faults.ts'
import { startLoadFleet } from './load-faults/load-fleet.ts'
import { faultsPage } from './load-faults/page.ts'
import { startFragileRedis } from './load-faults/redis.ts'

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const only = values.only?.split(',')
const [loadBefore = 0] = loadavg()
const outcomes: FaultOutcome[] = []
const skipped: string[] = []
const common = [agentFault, workerFault, postgresFault]

await tryAll('PostgreSQL', [...common, quotaFault])
if (hasRedis()) {
  const redis = await startFragileRedis()
  try {
    await tryAll('Redis', [...common, redisFault(redis)], { REDIS_URL: redis.url })
  } finally {
    await redis.stop()
  }
} else skip('everything with the queue in Redis, because redis-server is not installed')

if (only === undefined)
  await writeFile(
    join(import.meta.dirname, '../../docs/benchmarks/load-faults.md'),
    faultsPage(outcomes, skipped, loadBefore),
  )
if (outcomes.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1

async function tryAll(backend: string, faults: Fault[], settings?: Record<string, string>): Promise<void> {
  const wanted = faults.filter(({ name }) => only?.includes(name) ?? true)
  if (wanted.length === 0) return
  const at = await startLoadFleet(settings)
  try {
    await at.startAgent('one')
    await at.startAgent('two')
    for (const fault of wanted) {
      const outcome = await tryFault(at, fault, backend)
      outcomes.push(outcome)
      const { title, state, endedAfterSeconds, counted, answered, wrong, events } = outcome
      console.log(`${wrong.length === 0 ? 'RIGHT' : 'WRONG'}: ${title} (${backend})`)
      console.log(`  ${state} after ${endedAfterSeconds} s, ${counted} of ${answered} counted`)
      for (const words of [...events, ...wrong]) console.log(`  ${words}`)
    }
  } finally {
    await at.stop()
  }
}

function skip(what: string): void {
  skipped.push(what)
  console.log(`SKIPPED: ${what}`)
}
