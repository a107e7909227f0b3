// The official MCP conformance suite against the gateway. Fails when the results are not those of docs/conformance.md;
// with --write, writes that page, and fails only for what is not in scripts/conformance/known-failures.ts.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startConformanceEndpoint } from '../apps/gateway/src/testing/conformance/endpoint.ts'
import { runAuthorization } from './conformance/authorization.ts'
import { knownFailures } from './conformance/known-failures.ts'
import { conformancePage } from './conformance/page.ts'
import type { Run } from './conformance/page.ts'
import { runSuite, scoredScenarios, suiteVersion } from './conformance/suite.ts'

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const root = join(import.meta.dirname, '..')
const pagePath = join(root, 'docs/conformance.md')

const runs = [
  await runServer('2026-07-28'),
  await runServer('2025-11-25'),
  runOf('authorization', 'Authorization server', await runAuthorization()),
]
const surprises = runs.flatMap(surprisesOf)
for (const line of surprises) console.error(line)

if (values.write) writeFileSync(pagePath, formatted(pageOf(new Date().toISOString().slice(0, 10))))
else if (withoutDate(formatted(pageOf('today'))) !== withoutDate(readFileSync(pagePath, 'utf8'))) {
  surprises.push('stale')
  console.error('docs/conformance.md says something else. Run node scripts/conformance.ts --write.')
}
for (const { title, results } of runs) {
  const failed = results.filter(({ failures }) => failures.length > 0).length
  console.log(`${title}: ${results.length} scenarios, ${failed} of them do not pass`)
}
process.exitCode = surprises.length === 0 ? 0 : 1

async function runServer(revision: string): Promise<Run> {
  const endpoint = await startConformanceEndpoint()
  try {
    const args = ['server', '--url', endpoint.url, '--requirements', revision]
    return runOf(revision, `Server, ${revision}`, await runSuite(args, await scoredScenarios(revision)))
  } finally {
    await endpoint.close()
  }
}

function runOf(name: string, title: string, results: Run['results']): Run {
  return { name, title, results, known: knownFailures[name] ?? [] }
}

/** What failed and was not known to, and what was known to fail and did not. */
function surprisesOf({ title, results, known }: Run): string[] {
  const expected = new Set(known.map(({ scenario }) => scenario))
  const failing = new Set(
    results.filter(({ failures }) => failures.length > 0).map(({ scenario }) => scenario),
  )
  return [
    ...results
      .filter(({ scenario }) => failing.has(scenario) && !expected.has(scenario))
      .flatMap(({ scenario, failures }) => failures.map((failure) => `${title}: ${scenario}: ${failure}`)),
    ...known
      .filter(({ scenario }) => !failing.has(scenario))
      .map(({ scenario }) => `${title}: ${scenario} passes or did not run; it is no known failure any more`),
  ]
}

function pageOf(date: string): string {
  return conformancePage(runs, suiteVersion, date)
}

function withoutDate(page: string): string {
  return page.replace(/^- Last written: .*$/m, '')
}

/** As our formatter writes tables. */
function formatted(markdown: string): string {
  const { stdout, status } = spawnSync(
    join(root, 'node_modules/.bin/oxfmt'),
    ['--stdin-filepath', 'docs/conformance.md'],
    { cwd: root, input: markdown, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error('The page could not be formatted')
  return stdout
}
