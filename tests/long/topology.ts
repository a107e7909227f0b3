// docker-compose.yml as processes, with Debian's Redis and Caddy: an upgrade with traffic, every runbook, a refused downgrade, the way back.
//
//     npm run long -- topology [--from <commit>] [--only <runbook>]…
//
// Containers of an older commit (the oldest from which an upgrade is promised when left out) make an installation; docs/operations/upgrade.md
// is then done to the letter while agents and a CI work on it; after that what is in every other page of docs/operations. Needs root,
// for a network of its own, and redis-server, caddy, postgresql-client and git.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { buildImages, buildOldImages, removeCheckout } from './topology/build-images.ts'
import { readCompose } from './topology/compose-file.ts'
import { offerDocker } from './topology/docker.ts'
import { hostsOf, Machine, type Version } from './topology/machine.ts'
import { inOwnNamespace } from './topology/namespace.ts'
import { upgradeDataDirectory } from './topology/one-process.ts'
import { readRunbook, type RunbookBlock } from './topology/runbook.ts'
import { startTraffic, type Traffic } from './topology/traffic.ts'
import { seenOn, table, writeSection } from './service/page.ts'

const { values } = parseArgs({
  options: { from: { type: 'string', default: '44e4459' }, only: { type: 'string', multiple: true } },
})
const root = join(import.meta.dirname, '../..')
const url = 'http://localhost:4170'
const variables = {
  FLAMEGATE_PASSWORD: 'onlyfortests',
  S3_ACCESS_KEY_ID: 'S3RVER',
  S3_SECRET_ACCESS_KEY: 'S3RVER',
  FLAMEGATE_LOG_LEVEL: 'warn',
}
const folder = process.env['FLAMEGATE_TOPOLOGY_FOLDER'] ?? mkdtempSync(join(tmpdir(), 'flamegate-topology-'))
process.env['FLAMEGATE_TOPOLOGY_FOLDER'] = folder
execFileSync('chmod', ['755', folder])
const older = join(folder, 'older')
const kept = z.object({ checkout: z.string(), images: z.array(z.tuple([z.string(), z.string()])) })

if (process.env['FLAMEGATE_TOPOLOGY'] === undefined) {
  // Outside, where the package registry is.
  process.on('exit', () => {
    removeCheckout(older)
    rmSync(folder, { recursive: true, force: true })
  })
  step('the images of this checkout')
  keepVersion('new', { checkout: root, images: buildImages(root, join(folder, 'new')) })
  step(`a checkout of ${values.from}, and its images`)
  keepVersion('old', { checkout: older, images: buildOldImages(values.from, older, join(folder, 'old')) })
}
inOwnNamespace(hostsOf(readCompose(join(root, 'docker-compose.yml'), variables)), join(folder, 'hosts'))

const machine = new Machine(folder, variables, versionOf('old'))
const bin = join(folder, 'bin')
mkdirSync(bin)
/** What `docker compose build` makes images of. */
let checkedOut = 'new'
const docker = await offerDocker(machine, bin, () => machine.use(versionOf(checkedOut)))
const [loadBefore = 0] = loadavg()
const held: { promise: string; exceptions: number }[] = []
const told: { step: string; seconds: number; calls: number; failed: number; 'pages loaded anew': number }[] =
  []
try {
  step('docker compose up, of the older version')
  // Its proxy may have no health that could be waited for.
  const untilUp = `curl --fail --silent --show-error --retry 60 --retry-delay 1 --retry-all-errors ${url}/readyz`
  await shell({ at: 'start', script: `docker compose up --detach --wait\n${untilUp}` })
  const traffic = await startTraffic(url)
  await working(traffic, 5)
  const before = [...traffic.runs]
  await withTraffic(traffic, 'Upgrade', () => runbook('upgrade', ({ heading }) => heading === ''))
  await withTraffic(traffic, 'Change of keys', () => runbook('key-rotation'))
  await withTraffic(traffic, 'Refused downgrade', refusedDowngrade)
  await traffic.stop()
  const missing = [...(await traffic.missingRuns(traffic.runs)), ...(await traffic.missingJobs())]
  hold('All that was acknowledged is there, and every job has ended', missing)
  const others = readdirSync(join(root, 'docs/operations'))
    .map((name) => name.replace(/\.md$/, ''))
    .filter((name) => !['upgrade', 'key-rotation', 'README', 'slo'].includes(name))
  for (const name of others.filter((each) => values.only?.includes(each) ?? true)) {
    await runbook(name)
    hold(`Every command of ${name}.md does what it says`, [])
  }
  checkedOut = 'old'
  await runbook('upgrade', ({ heading }) => heading === 'Going back')
  hold('The older version restores what was there before the upgrade', await traffic.missingRuns(before))
  await machine.stopAll()
  step('npm start')
  const outcome = await upgradeDataDirectory(folder, {
    older: versionOf('old').checkout,
    newer: versionOf('new').checkout,
    isRefused: added().length > 0,
  })
  for (const [promise, exceptions] of outcome) hold(promise, exceptions)
} catch (error) {
  console.error(error)
  hold('All of it was done', [error])
} finally {
  await machine.stopAll()
  docker.close()
}
const failed = held.filter(({ exceptions }) => exceptions > 0).length
if (values.only === undefined) await writeSection('upgrade', page())
step(failed === 0 ? 'all held' : `${failed} did not hold`)
process.exit(failed === 0 ? 0 : 1)

/** Versions are made outside of the namespace, and used inside. */
function keepVersion(name: string, { checkout, images }: Version): void {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ checkout, images: [...images] }))
}

function versionOf(name: string): Version {
  const { checkout, images } = kept.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')))
  return { checkout, images: new Map(images) }
}

function step(text: string): void {
  console.log(`\n=== ${text}`)
}

function hold(promise: string, exceptions: readonly unknown[]): void {
  console.log(`${exceptions.length === 0 ? 'held' : 'NOT HELD'}: ${promise}`)
  for (const each of exceptions.slice(0, 10)) console.log('  ', each)
  held.push({ promise, exceptions: exceptions.length })
}

/** Commands of a page, in order. */
async function runbook(name: string, isAsked: (block: RunbookBlock) => boolean = () => true): Promise<void> {
  step(`docs/operations/${name}.md`)
  const blocks = readRunbook(join(root, 'docs/operations', `${name}.md`), name)
  for (const block of blocks.filter(isAsked)) await shell(block)
}

/** Does something, and holds that no call failed meanwhile. */
async function withTraffic(traffic: Traffic, name: string, work: () => Promise<void>): Promise<void> {
  const calls = () => Object.values(traffic.counts).reduce((sum, count) => sum + count, 0)
  const before = {
    at: Date.now(),
    calls: calls(),
    failed: traffic.failures.length,
    anew: traffic.loadedAnew.length,
  }
  await work()
  await working(traffic, 5)
  const failures = traffic.failures.slice(before.failed)
  const row = {
    step: name,
    seconds: Math.round((Date.now() - before.at) / 1_000),
    calls: calls() - before.calls,
    failed: failures.length,
    'pages loaded anew': traffic.loadedAnew.length - before.anew,
  }
  console.log(JSON.stringify(row), traffic.loadedAnew.slice(before.anew, before.anew + 3))
  told.push(row)
  hold(`${name}: no call fails`, failures)
}

/** As a person types it: each line has to succeed. */
async function shell({ at, script }: Omit<RunbookBlock, 'heading'>): Promise<void> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, ...variables, FLAMEGATE_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  console.log(`--- ${at}\n${script.trimEnd()}\n${output.trimEnd().slice(0, 1_500)}`)
  if (child.exitCode !== 0) throw new Error(`${at} ended with ${child.exitCode}`)
}

/** Until that many more were written, so that there is something to notice. */
async function working(traffic: Traffic, writes: number): Promise<void> {
  const enough = traffic.counts.writes + writes
  const deadline = Date.now() + 60_000
  while (traffic.counts.writes < enough && Date.now() < deadline)
    await new Promise((done) => setTimeout(done, 100))
  if (traffic.counts.writes < enough) hold('work goes on', traffic.failures.slice(-3))
}

/** The older version meets the database of the newer one. */
async function refusedDowngrade(): Promise<void> {
  step('a downgrade')
  const later = '29990101000000_later'
  const mark = (sql: string) =>
    machine.run('postgres', ['psql', '--dbname', 'flamegate', '--quiet', '--command', sql], { exec: true })
  // Versions that have the same migrations may take each other's place.
  if (added().length === 0) {
    await mark(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('later', '', '${later}', now())`,
    )
  }
  machine.use(versionOf('old'))
  const { exitCode, output } = await machine.run('prepare', [])
  machine.use(versionOf('new'))
  await mark(`DELETE FROM _prisma_migrations WHERE id = 'later'`)
  console.log(output)
  const isNamed = output.includes(added()[0] ?? later)
  hold(
    'A downgrade is refused, and says why and what to do',
    exitCode === 1 && output.includes('newer version') && isNamed ? [] : [output],
  )
}

/** The migrations that the newer version has and the older has not. */
function added(): string[] {
  const [before = [], after = []] = ['old', 'new'].map((name) =>
    readdirSync(join(versionOf(name).images.get('admin') ?? '', 'prisma/migrations')),
  )
  return after.filter((name) => !before.includes(name)).toSorted()
}

/** What docs/reliability.md tells. */
function page(): string[] {
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
  const to = `\`${git('rev-parse', '--short', 'HEAD')}\`${isChanged ? ' with changes' : ''}`
  return [
    `${seenOn(loadBefore)} From \`${values.from}\` to ${to}, which has ${added().length} migrations more.`,
    '',
    ...table(
      Object.keys(told[0] ?? {}),
      told.map((row) => Object.values(row)),
    ),
    '',
    ...held.map(
      ({ promise, exceptions }) =>
        `- ${promise}${exceptions === 0 ? '' : `: **not held**, ${exceptions} times`}.`,
    ),
  ]
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}
