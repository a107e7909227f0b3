import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { measureWork } from './measure-jobs.ts'
import {
  measureBacklog,
  measureFolder,
  measurePools,
  measureQueue,
  measureRefusals,
} from './measure-platform.ts'
import { measureToolCalls } from './measure-tool-calls.ts'

test('jobs are counted by what came of them, and routines by when they last went well', async () => {
  const registry = new Registry()
  const { onJobEnded, onRound } = measureWork(registry)
  onJobEnded({ name: 'import_profile', outcome: 'completed', waitedMs: 1_500, durationMs: 20 })
  onJobEnded({ name: 'import_profile', outcome: 'failed', waitedMs: 0, durationMs: 20 })
  onRound({ name: 'sweep', hasFailed: false, durationMs: 5 })
  const before = Date.now() / 1_000
  onRound({ name: 'sweep', hasFailed: true, durationMs: 5 })
  const text = await registry.metrics()
  expect(text).toContain('flamegate_job_duration_seconds_count{kind="import_profile",outcome="failed"} 1')
  expect(text).toContain('flamegate_job_wait_seconds_sum{kind="import_profile"} 1.5')
  expect(text).toContain('flamegate_routine_failures_total{routine="sweep"} 1')
  const wentWell = /last_success_timestamp_seconds\{routine="sweep"\} (?<at>[\d.]+)/.exec(text)?.groups?.[
    'at'
  ]
  expect(Number(wentWell)).toBeLessThanOrEqual(before)
})

test('a call is the caller’s fault or ours by its status', async () => {
  const registry = new Registry()
  const note = measureToolCalls(registry)
  for (const status of [200, 404, 429, 500, 503]) note({ operation: 'list_runs', status, durationMs: 1 })
  const text = await registry.metrics()
  expect(
    ['ok', 'refused', 'failed'].map(
      (outcome) => new RegExp(`_count\\{operation="list_runs",outcome="${outcome}"\\} (\\d)`).exec(text)?.[1],
    ),
  ).toEqual(['1', '2', '2'])
})

test('what cannot be read is left out of a scrape, and the rest is there', async () => {
  const registry = new Registry()
  measureQueue(registry, { look: () => Promise.reject(new Error('Redis is away')) })
  measureBacklog(registry, async () => ({
    backlog: [{ kind: 'deliveries', count: 3, oldestMs: 2_000 }],
    sizeBytes: 9,
  }))
  measurePools(registry, () => [{ pool: 'app', sizeMax: 10, used: 4, idle: 1, waiting: 2 }])
  measureFolder(registry, import.meta.dirname)
  measureRefusals(registry)('user')
  const text = await registry.metrics()
  expect(text).not.toMatch(/^flamegate_queue/m)
  expect(text).toContain('flamegate_backlog{kind="deliveries"} 3')
  expect(text).toContain('flamegate_backlog_oldest_seconds{kind="deliveries"} 2')
  expect(text).toContain('flamegate_database_connections{pool="app",state="used"} 4')
  expect(text).toContain('flamegate_database_waiting{pool="app"} 2')
  expect(text).toMatch(/^flamegate_storage_disk_free_bytes \d/m)
  expect(text).toContain('flamegate_limit_refusals_total{limit="user"} 1')
})

test('a queue is asked once for all its gauges, and not at each scrape', async () => {
  const registry = new Registry()
  let asked = 0
  measureQueue(registry, {
    async look() {
      asked += 1
      return [{ queue: 'flamegate', jobs: { waiting: 7 }, oldestWaitingMs: 1_000 }]
    },
  })
  await registry.metrics()
  const text = await registry.metrics()
  expect(text).toContain('flamegate_queue_jobs{queue="flamegate",state="waiting"} 7')
  expect(text).toContain('flamegate_queue_oldest_waiting_seconds{queue="flamegate"} 1')
  expect(asked).toBe(1)
})
