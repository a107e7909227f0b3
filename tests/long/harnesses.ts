// Real benchmark tools through `flamegate run --check --base-dir`, base and head measured in turns: what was not changed
// raises no alarm, and a slowdown of 10 % is found, in 19 of 20 tries each.
//
//     npm run long -- harnesses [--tries 20] [--only hyperfine]
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { operations } from '@flamegate/contract'
import { startOwnPlatform } from '../installation/own-platform.ts'
import { signUpAs, type Person } from '../system/person.ts'
import { versionOf, type Harness } from './harnesses/harness.ts'
import { harnesses } from './harnesses/harnesses.ts'
import { buildProject } from './harnesses/measured-project.ts'
import { harnessesPage, table, type HarnessResult } from './harnesses/page.ts'

const { values } = parseArgs({
  options: { tries: { type: 'string', default: '20' }, only: { type: 'string' } },
})
const tries = Number(values.tries)
const asked = harnesses.filter(({ name }) => values.only === undefined || name.includes(values.only))
/** The page tells of whole runs. */
const isWhole = tries >= 20 && values.only === undefined
const page = join(import.meta.dirname, '../../docs/benchmarks/harnesses.md')

const loadAtStart = loadavg()[0] ?? 0
if (loadAtStart > 0.5) {
  console.log(
    `BUSY: the load is ${loadAtStart.toFixed(1)} before anything is measured, which is not what the page shall tell of.`,
  )
}
const folder = await mkdtemp(join(tmpdir(), 'flamegate-harnesses-'))
const platform = await startOwnPlatform({ FLAMEGATE_RATE_LIMITS: 'off' })
const results: HarnessResult[] = []
const skipped: string[] = []
try {
  const person = await signUpAs(platform.url, 'Harness', 'harness@example.com')
  for (const harness of asked) {
    const version = versionOf(harness)
    if (version === undefined) {
      console.log(`SKIPPED: ${harness.name} is not installed (${harness.version.join(' ')} failed).`)
      skipped.push(harness.name)
      continue
    }
    const result = await tryOut(harness, version, person)
    console.log(`${harness.name}: ${result.alarms} alarms, ${result.found} found, of ${tries}`)
    results.push(result)
  }
} finally {
  await platform.stop()
  await rm(folder, { recursive: true, force: true })
}

console.log(table(results))
if (isWhole) await writeFile(page, harnessesPage(results, { skipped, loadAtStart }))
const wrongMax = Math.floor(tries / 20)
const isGood = results.every(
  ({ alarms, found }) => alarms <= Math.max(1, wrongMax) && tries - found <= Math.max(1, wrongMax),
)
if (!isGood || results.length === 0) process.exitCode = 1

async function tryOut(harness: Harness, version: string, person: Person): Promise<HarnessResult> {
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: harness.name,
  })
  const { secret: token } = await person.client.call(operations.createApiToken, {
    workspace_id: person.workspaceId,
    name: harness.name,
    scopes: ['upload'],
  })
  const measured = await buildProject(harness, join(folder, project.id), {
    url: platform.url,
    token,
    projectId: project.id,
  })
  const result = { name: harness.name, version, tries, alarms: 0, found: 0 }
  const changes: number[] = []
  const startedAt = performance.now()
  for (let number = 1; number <= tries; number += 1) {
    const same = await measured.measure('same', number)
    const slower = await measured.measure('slower', number)
    if (same.isAlarm) result.alarms += 1
    if (slower.isAlarm) result.found += 1
    if (slower.changePercent !== undefined) changes.push(slower.changePercent)
    console.log(
      `  ${harness.name}, try ${number}: ${same.isAlarm ? `ALARM ${same.changePercent?.toFixed(1)} %` : 'quiet'}, ${slower.isAlarm ? `found ${slower.changePercent?.toFixed(1)} %` : 'MISSED'}`,
    )
  }
  const secondsPerMeasurement = (performance.now() - startedAt) / 1000 / (2 * tries)
  return {
    ...result,
    changePercent: changes.toSorted((a, b) => a - b).at(changes.length >> 1),
    secondsPerMeasurement,
  }
}
