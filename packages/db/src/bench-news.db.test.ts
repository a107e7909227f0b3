import { newId } from '@flamegate/contract'
import type { BenchNews } from '@flamegate/operations/ports'
import { decodeTickBatch, encodeTickBatch, generatorGauges } from '@flamegate/series'
import { afterEach, expect, test, vi } from 'vitest'
import { watchBenchNews } from './bench-news.ts'
import { prepareProject } from './testing.ts'

const { at, ada, projectId, asAda } = prepareProject({ roleOfAda: 'member' })
const closers: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const nothing = { actions: [], profiles: [], generator: new Float64Array(generatorGauges.length) }
const startedAt = new Date('2026-11-22T10:00:00.000Z')

async function watch() {
  const heard: (BenchNews | 'missed')[] = []
  const quiet = { ...at.database, log: { info: () => undefined, error: () => undefined } }
  const watching = await watchBenchNews(quiet, {
    onNews: (news) => heard.push(news),
    onMissed: () => heard.push('missed'),
  })
  closers.push(() => watching.close())
  return heard
}

function createRun() {
  const run = {
    id: newId('benchResult'),
    workspaceId: ada.workspaceId,
    projectId,
    scenarioId: null,
    scenarioVersion: null,
    name: 'Checkout',
    durationMs: 60_000,
    agentWaitMs: 60_000,
    taskId: newId('task'),
    benchReportId: null,
    plan: { scenario: {}, virtual_users: [], servers: [], variables: [], actions: [] },
  }
  const shard = { id: newId('benchShard'), agentGroup: run.id, shareIndex: 0, shareCount: 1, engines: [] }
  return at.stores.benchRuns.create(asAda(), run, [shard])
}

const news = (benchResultId: string, state: string | null, startedAtMs: number | null = null) => ({
  of: 'run',
  benchResultId,
  projectId,
  state,
  startedAtMs,
  durationMs: 60_000,
})
const within = { timeout: 2_000, interval: 10 }

test('every process hears of runs, their agents and their seconds, once each, and of nothing else', async () => {
  const [one, other] = [await watch(), await watch()]
  const run = await createRun()
  await at.stores.benchRuns.change(asAda(), run.id, () => ({
    run: { state: 'RUNNING', startedAt },
    shards: [],
    events: [],
  }))
  // That it is seen to is nothing new, and neither is a report of an agent that is as it was.
  await at.stores.benchRuns.noteWatched(asAda(), run.id)
  const [shard] = await at.stores.benchRuns.listShards(asAda(), run.id)
  await at.admin.query(`UPDATE bench_shards SET state = 'PREPARING' WHERE id = $1`, [shard?.id])
  const report = { state: 'RUNNING' as const, message: '' }
  await at.stores.benchRuns.report(asAda(), shard?.id ?? '', report)
  await at.stores.benchRuns.report(asAda(), shard?.id ?? '', report)
  await at.stores.series.begin(asAda(), run.id, { secondsMax: 100, containers: [] })
  const ticks = [3, 5].map((second) => ({ second, ...nothing }))
  const append = (sequence: number) =>
    at.stores.series.appendBatch(
      asAda(),
      decodeTickBatch(encodeTickBatch({ benchResultId: run.id, agent: 0, sequence, ticks })),
    )
  await append(1)
  // Whoever looks does so every two seconds.
  await append(2)
  await at.admin.query('DELETE FROM bench_results WHERE id = $1', [run.id])
  const agents = { of: 'agents', benchResultId: run.id }
  const all = [
    news(run.id, 'PENDING'),
    news(run.id, 'RUNNING', startedAt.getTime()),
    agents,
    agents,
    { of: 'series', benchResultId: run.id, second: 5 },
    news(run.id, null, startedAt.getTime()),
  ]
  await vi.waitFor(() => expect([one, other]).toEqual([all, all]), within)
})

test('after a break it is said that something may have been missed', async () => {
  const heard = await watch()
  await at.admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'flamegate bench news' AND datname = current_database()`,
  )
  await vi.waitFor(() => expect(heard).toEqual(['missed']), { timeout: 5_000, interval: 20 })
  const run = await createRun()
  await vi.waitFor(() => expect(heard).toEqual(['missed', news(run.id, 'PENDING')]), within)
})
