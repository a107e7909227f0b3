// Real MCP clients from npm against the platform, without a model and without the internet: they register, log in by a
// browser, list, call, refresh and are revoked. Fails when something does not work that docs/clients.md says does.
//
//     npm run long -- clients [--only codex,gemini-cli] [--write]
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { drivers } from './clients/drivers/index.ts'
import { install } from './clients/install.ts'
import { confine, hostsFile, playedAddress } from './clients/offline.ts'
import { asText, rowResult, stepNames, untried, withResults, worksAccordingTo } from './clients/results.ts'
import type { RowResult } from './clients/results.ts'

const { values } = parseArgs({
  options: { only: { type: 'string' }, write: { type: 'boolean', default: false } },
})
if (values.write && values.only !== undefined) throw new RangeError('--write needs all clients.')
const page = join(import.meta.dirname, '../../docs/clients.md')
const only = values.only?.split(',')
const wanted = drivers.filter(({ id }) => only === undefined || only.includes(id))
const known = new Set(drivers.map(({ id }) => id))
const unknown = only?.filter((id) => !known.has(id)) ?? []
if (unknown.length > 0)
  throw new RangeError(`There is no ${unknown.join(', ')}; there are ${[...known].join(', ')}.`)

const played = wanted.flatMap(({ document }) =>
  document === undefined ? [] : [new URL(document.url).hostname],
)
writeFileSync(
  hostsFile,
  ['127.0.0.1 localhost', ...new Set(played.map((host) => `${playedAddress} ${host}`))].join('\n'),
)
const confinement = confine()
console.log(`The clients run ${confinement.description}.`)

const skipped: RowResult[] = []
const ready = wanted.filter((driver) => {
  const reason =
    driver.document && !confinement.isOwnNetwork
      ? 'its metadata document cannot be played without a network of our own'
      : install(driver.package)
  if (reason === undefined) return true
  console.error(`SKIPPED ${driver.title}: ${reason}`)
  skipped.push({
    title: driver.title,
    version: driver.package.version,
    revisions: '–',
    steps: untried,
    trouble: `skipped: ${reason}`,
  })
  return false
})

const resultsFile = join(tmpdir(), `flamegate-clients-results-${process.pid}.json`)
const [program = '', ...args] = [
  ...confinement.command,
  process.execPath,
  join(import.meta.dirname, 'clients/confined.ts'),
  '--results',
  resultsFile,
  ...ready.flatMap(({ title }) => ['--titles', title]),
]
const { status } = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...confinement.env } })
rmSync(hostsFile)
if (status !== 0) throw new Error(`The run broke off with ${status}.`)
const measured = z.array(rowResult).parse(JSON.parse(readFileSync(resultsFile, 'utf8')))
rmSync(resultsFile)

const results = wanted.flatMap(({ title }) =>
  [...measured, ...skipped].filter((each) => each.title === title),
)
console.log(`\n${asText(results)}`)
const works = worksAccordingTo(readFileSync(page, 'utf8'))
const broken = measured.flatMap(({ title, steps }) =>
  stepNames.filter((step) => steps[step] !== 'yes').map((step) => `${title}: ${step}`),
)
const regressions = broken.filter((each) => works.has(each))
if (values.write) {
  const day = new Date().toISOString().slice(0, 10)
  writeFileSync(
    page,
    withResults(readFileSync(page, 'utf8'), `Run on ${day}, ${confinement.description}.`, results),
  )
}
if (regressions.length > 0) {
  console.error(`\nThese worked before:\n  ${regressions.join('\n  ')}`)
  process.exitCode = 1
}
