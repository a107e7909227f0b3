// Series of an hour of load, stored and asked for, side by side with a plain table of the same: `npm run bench -- series`
import { parseArgs } from 'node:util'
import { newId, type Caller } from '@flamegate/contract'
import {
  counterOf,
  decodeTickBatch,
  percentileOf,
  type RequestBucket,
  type SeriesQuestion,
} from '@flamegate/series'
import { openDatabase } from '../../packages/db/src/database.ts'
import { createStores } from '../../packages/db/src/stores.ts'
import { seriesStore } from '../../packages/db/src/stores/series-store.ts'
import { startTestServer } from '../../packages/db/src/test-server.ts'
import { cpuTimeOf } from './cpu-time.ts'
import { createBatches, shape } from './make-batches.ts'
import { createPlainTable } from './plain-table.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
})
const minutes = Number(values.minutes)
const seconds = 60 * minutes
const rounds = Number(values.rounds)
/** So many seconds are live while charts are asked for the first time: the most there are when each minute is sealed at its end. */
const liveSeconds = 60

interface Row {
  bench: 'series'
  metric: string
  peer: string
  ours: number
  theirs: number | null
  ratio: number | null
  goal: number | null
  met: boolean | null
  equal: boolean
}

const server = await startTestServer()
try {
  const rows = await measure()
  if (values.json) for (const row of rows) console.log(JSON.stringify(row))
  else print(rows)
} finally {
  await server.stop()
}

async function measure(): Promise<Row[]> {
  const urls = await server.createDatabase()
  const log = { info: () => undefined, error: () => undefined }
  const database = openDatabase({ appUrl: urls.appUrl, authUrl: urls.authUrl, poolSize: shape.agents, log })
  const admin = openDatabase({ appUrl: urls.adminUrl, authUrl: urls.adminUrl, poolSize: 1, log }).auth
  const data = createStores(database)
  const { stores, identity } = data
  const { series } = stores
  const userId = newId('user')
  const workspaceId = newId('workspace')
  await identity.createUser(
    { id: userId, email: 'bench@example.com', name: 'Bench', passwordHash: null },
    { id: workspaceId, slug: 'bench', name: 'Bench' },
  )
  const writer: Caller = {
    principal: { userId, via: 'session', clientId: 'web', clientName: 'Bench', scopes: ['read', 'write'] },
    roles: new Map([[workspaceId, 'owner']]),
    access: 'write',
  }
  const reader: Caller = { ...writer, access: 'read' }
  const project = { slug: 'bench', name: 'Bench', description: '', tags: [], repository: null }
  const { id: projectId } = await stores.projects.create(writer, {
    ...project,
    id: newId('project'),
    workspaceId,
  })
  const runId = newId('task')
  await admin.query(
    `INSERT INTO bench_results (workspace_id, id, project_id, name, task_id, created_by)
      VALUES ($1, $2, $3, 'Bench', $2, $4)`,
    [workspaceId, runId, projectId, userId],
  )
  await series.begin(writer, runId, { secondsMax: seconds, containers: [] })
  const plain = await createPlainTable(urls.adminUrl, shape.agents, minutes)
  const batchesOf = createBatches(Number(values.seed), runId)

  const { rows: backends } = await admin.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const cpuMs = cpuTimeOf(backends[0]?.pid ?? 0)
  const ingest = { oursMs: 0, theirsMs: 0, sealMs: 0, oursCpuMs: 0, theirsCpuMs: 0, actionSeconds: 0 }
  for (let minute = 0; minute < minutes; minute += 1) {
    const arriving = Array.from({ length: 60 }, (_, index) => batchesOf(60 * minute + index))
    ingest.actionSeconds += 60 * shape.agents * shape.actions
    // In turns, in an order that changes, so that neither always finds the machine as the other left it.
    const turns = [ours, theirs]
    if (minute % 2 === 1) turns.reverse()
    for (const turn of turns) await turn(arriving)
    if (!values.json) process.stderr.write(`\rminute ${minute + 1} of ${minutes}`)

    async function ours(batches: Uint8Array[][]): Promise<void> {
      const startedAt = performance.now()
      const cpuBefore = cpuMs()
      for (const ofSecond of batches) {
        const outcomes = await Promise.all(
          ofSecond.map((batch) => series.appendBatch(writer, decodeTickBatch(batch))),
        )
        if (outcomes.some((outcome) => outcome !== 'stored')) throw new Error('A batch was not stored')
      }
      const sealingAt = performance.now()
      await series.seal(writer, runId, 60 * (minute + 1) - liveSeconds)
      ingest.sealMs += performance.now() - sealingAt
      // As the server does by itself within a minute, which here is a second.
      await admin.query('VACUUM live_ticks')
      ingest.oursMs += performance.now() - startedAt
      ingest.oursCpuMs += cpuMs() - cpuBefore
    }
  }
  async function theirs(batches: Uint8Array[][]): Promise<void> {
    const startedAt = performance.now()
    const cpuBefore = cpuMs()
    for (const ofSecond of batches) await plain.append(ofSecond)
    ingest.theirsMs += performance.now() - startedAt
    ingest.theirsCpuMs += cpuMs() - cpuBefore
  }
  await admin.query('ANALYZE')

  const found: Row[] = []
  found.push(...(await charts(`the last ${liveSeconds} s live`)))
  const sealingAt = performance.now()
  const cpuBeforeEnd = cpuMs()
  await series.seal(writer, runId, 'end')
  ingest.oursCpuMs += cpuMs() - cpuBeforeEnd
  ingest.oursMs += performance.now() - sealingAt
  ingest.sealMs += performance.now() - sealingAt
  await admin.query('VACUUM ANALYZE live_ticks, series_chunks, tick_batches')
  found.push(...(await charts('all sealed')))
  const single = [await oneSeries(1), await oneSeries(10)]
  const isEqual = single.every(({ equal }) => equal)

  const { rows: sizes } = await admin.query<{ table: string; bytes: number }>(
    `SELECT relname AS table, pg_total_relation_size(oid) AS bytes FROM pg_class
      WHERE relname IN ('bench_series', 'tick_batches', 'live_ticks', 'series_chunks') ORDER BY relname`,
  )
  const { rows: levels } = await admin.query<{ level: number; chunks: number; bytes: number }>(
    `SELECT level, count(*) AS chunks, sum(length(chunk)) AS bytes FROM series_chunks GROUP BY level ORDER BY level`,
  )
  if (!values.json) {
    console.log(`\n${JSON.stringify({ sizes, levels, ingest })}`)
  }
  const bytes = sizes.reduce((sum, table) => sum + table.bytes, 0)
  const perSecond = (ms: number) => (1_000 * ingest.actionSeconds) / ms
  const plainBytes = await plain.bytes()
  found.unshift(
    rowOf('MB with indexes and TOAST', bytes / 1e6, plainBytes / 1e6, 0.3, isEqual),
    limitRow('MB in all', bytes / 1e6, (300 * minutes) / 60, isEqual),
    rowOf(
      'action-seconds stored and sealed per CPU-second',
      perSecond(ingest.oursCpuMs),
      perSecond(ingest.theirsCpuMs),
      2,
      isEqual,
    ),
    rowOf(
      'action-seconds stored and sealed per second',
      perSecond(ingest.oursMs),
      perSecond(ingest.theirsMs),
      2,
      isEqual,
    ),
    ...single,
  )
  await plain.close()
  await data.close()
  await admin.end()
  await database.close()
  return found

  /** All buckets of one action with count and p95, read by both in turns. */
  async function oneSeries(bucketSeconds: number): Promise<Row> {
    const times = { ours: [] as number[], theirs: [] as number[] }
    let equal = true
    for (let round = -2; round < Math.max(5, rounds / 4); round += 1) {
      const action = (37 * (round + 3)) % shape.actions
      const startedAt = performance.now()
      const buckets = await ask({
        actions: [action],
        pointsMax: seconds / bucketSeconds,
        times: { service: true, response: false },
      })
      const points = buckets
        .filter((bucket) => counterOf(bucket, 'count') > 0)
        .map((bucket) => ({
          second: bucket.second,
          count: counterOf(bucket, 'count'),
          value: percentileOf(bucket.serviceTime, 95) ?? NaN,
        }))
      const betweenAt = performance.now()
      const plainPoints = await plain.chart(action, bucketSeconds, 95)
      const endedAt = performance.now()
      equal &&= points.length > 0 && JSON.stringify(points) === JSON.stringify(plainPoints)
      if (round < 0) continue
      times.ours.push(betweenAt - startedAt)
      times.theirs.push(endedAt - betweenAt)
    }
    const metric = `one action, ${seconds / bucketSeconds} points of count and p95, ms`
    return rowOf(metric, median(times.ours), median(times.theirs), 0.1, equal)
  }

  async function ask(
    question: Partial<SeriesQuestion<'requests'>>,
    store: Pick<typeof series, 'query'> = series,
  ): Promise<RequestBucket[]> {
    const answer = await store.query(reader, runId, {
      kind: 'requests',
      from: 0,
      to: seconds,
      pointsMax: 500,
      // As pages and tools ask, who show one of the two.
      times: { service: false, response: true },
      ...question,
    })
    return answer?.groups.flatMap(({ buckets }) => buckets) ?? []
  }

  /** The 95th percentile of how long each chart takes, from the question to its values. */
  async function charts(when: string): Promise<Row[]> {
    const every = Array.from({ length: shape.actions }, (_, action) => action)
    const middle = Math.floor(seconds / 2)
    const asked: Record<string, (round: number) => Promise<unknown>> = {
      'p95 of all': async () => p95(await ask({})),
      'rate of all by profile': () => ask({ apart: 'profile', times: { service: false, response: false } }),
      'p95 of one action': async (round) => p95(await ask({ actions: [round] })),
      'p95 of one action, each second of ten minutes': async (round) =>
        p95(await ask({ actions: [round], from: middle - 300, to: middle + 300, pointsMax: 600 })),
      'p95 of one action by agent': async (round) =>
        p95(await ask({ actions: [round], apart: 'agent', pointsMax: 60 })),
      'p95 of all by agent': async () => p95(await ask({ apart: 'agent', pointsMax: 60 })),
      'table of all actions': async () => p95(await ask({ apart: 'action', pointsMax: 1 })),
      // Of one that remembers nothing of what is live.
      'table of all actions, asked for the first time': async () =>
        p95(await ask({ apart: 'action', pointsMax: 1 }, seriesStore(database))),
      'table of all actions, from 137 s to the last but 89': async () =>
        p95(await ask({ apart: 'action', pointsMax: 1, from: 137, to: seconds - 89 })),
      'p95 of twenty actions together': async (round) =>
        p95(await ask({ actions: every.slice(round, round + 20), pointsMax: 60 })),
      'p95 of a hundred actions together': async (round) =>
        p95(await ask({ actions: every.slice(round, round + 100), pointsMax: 60 })),
      'p95 of all but one action': async (round) =>
        p95(await ask({ actions: every.filter((action) => action !== round), pointsMax: 60 })),
      'users by profile': () =>
        series.query(reader, runId, {
          kind: 'users',
          from: 0,
          to: seconds,
          pointsMax: 500,
          apart: 'profile',
        }),
      'generators by agent': () =>
        series.query(reader, runId, {
          kind: 'generator',
          from: 0,
          to: seconds,
          pointsMax: 500,
          apart: 'agent',
        }),
    }
    const made: Row[] = []
    const all: number[] = []
    for (const [name, answer] of Object.entries(asked)) {
      const times: number[] = []
      for (let round = -3; round < rounds; round += 1) {
        const startedAt = performance.now()
        await answer(round + 3)
        if (round >= 0) times.push(performance.now() - startedAt)
      }
      all.push(...times)
      made.push(limitRow(`${name}, ${when}: p95, ms`, quantile(times, 0.95), 200, true))
    }
    return [limitRow(`all charts, ${when}: p95, ms`, quantile(all, 0.95), 200, true), ...made]
  }
}

/** With a goal below 1, `ours` is to be at most so much of `theirs`. */
function rowOf(metric: string, ours: number, theirs: number, goal: number, equal: boolean): Row {
  const ratio = ours / theirs
  const met = goal < 1 ? ratio <= goal : ratio >= goal
  return { bench: 'series', metric, peer: 'plain table', ours, theirs, ratio, goal, met, equal }
}

function limitRow(metric: string, ours: number, goal: number, equal: boolean): Row {
  return {
    bench: 'series',
    metric,
    peer: '',
    ours,
    theirs: null,
    ratio: null,
    goal,
    met: ours <= goal,
    equal,
  }
}

function p95(buckets: readonly RequestBucket[]): (number | null)[] {
  return buckets.map(({ responseTime }) => percentileOf(responseTime, 95))
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN
}

function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}

function print(rows: readonly Row[]): void {
  console.log('| metric | peer | ours | theirs | ratio | goal | met | equal |')
  console.log('| --- | --- | --: | --: | --: | --: | --- | --- |')
  for (const { metric, peer, ours, theirs, ratio, goal, met, equal } of rows) {
    const numbers = [ours, theirs, ratio, goal].map((value) => (value === null ? '' : value.toPrecision(3)))
    console.log(
      `| ${metric} | ${peer} | ${numbers.join(' | ')} | ${met ? 'yes' : 'no'} | ${equal ? 'yes' : 'no'} |`,
    )
  }
}
