// The plugins and skills for agents in the real clients from npm: validated, installed from deploy/agents and from a
// running platform, and looked at there. Fails when a step fails. Needs a network to install the clients.
//
//     npm run long -- agent-plugins [--write]
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { allTries } from './agent-plugins/all-tries.ts'
import {
  asText,
  rowResult,
  stepNames,
  untried,
  withResults,
  type RowResult,
} from './agent-plugins/results.ts'
import { install } from './clients/install.ts'
import { confine, hostsFile, playedAddress } from './clients/offline.ts'

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const page = join(import.meta.dirname, '../../docs/agent-plugins.md')

writeFileSync(hostsFile, `127.0.0.1 localhost\n${playedAddress} flamegate.example\n`)
const confinement = confine()
if (!confinement.isOwnNetwork) {
  rmSync(hostsFile)
  throw new Error('This machine does not let us make a network namespace, in which a host can be played.')
}

const skipped: RowResult[] = []
const ready = allTries.filter(({ title, package: wanted }) => {
  const reason = install(wanted)
  if (reason === undefined) return true
  console.error(`SKIPPED ${title}: ${reason}`)
  skipped.push({ title, version: wanted.version, steps: untried, trouble: `skipped: ${reason}` })
  return false
})

const resultsFile = join(tmpdir(), `flamegate-agent-plugins-results-${process.pid}.json`)
const [program = '', ...args] = [
  ...confinement.command,
  process.execPath,
  join(import.meta.dirname, 'agent-plugins/confined.ts'),
  '--results',
  resultsFile,
  ...ready.flatMap(({ title }) => ['--titles', title]),
]
const { status } = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...confinement.env } })
rmSync(hostsFile)
if (status !== 0) throw new Error(`The run broke off with ${status}.`)
const measured = z.array(rowResult).parse(JSON.parse(readFileSync(resultsFile, 'utf8')))
rmSync(resultsFile)

const results = allTries.flatMap(({ title }) =>
  [...measured, ...skipped].filter((each) => each.title === title),
)
console.log(`\n${asText(results)}`)
if (values.write) {
  const day = new Date().toISOString().slice(0, 10)
  const summary = `Run on ${day}, ${confinement.description}.`
  writeFileSync(page, withResults(readFileSync(page, 'utf8'), summary, results))
}
if (results.some(({ steps }) => stepNames.some((step) => steps[step] === 'no'))) process.exitCode = 1
