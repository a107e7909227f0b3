import { operations } from '@flamegate/contract'
import { testCaller } from '@flamegate/db/testing'
import { beforeAll, expect, test } from 'vitest'
import { openPlatformDatabase } from './database-access.ts'
import { signUp, type Person } from './person.ts'
import { waitForAlert, waitForTask } from './world.ts'

/** The story of one regression, from the run that brought it to the check that lets it pass and then does not. */

const runCount = 30
const changedWith = 20

let person: Person
let projectId: string
let runIds: string[]

/** Six rounds around a level, which wanders by about one percent from run to run. */
function goBench(run: number): string {
  const level = (run < changedWith ? 1000 : 1150) + 12 * Math.sin(run * 2.4)
  const rounds = Array.from(
    { length: 6 },
    (_, round) => `BenchmarkRoute-2 \t 100000 \t ${(level + round).toFixed(1)} ns/op\n`,
  )
  return `goos: linux\npkg: example.com/router\n${rounds.join('')}PASS\n`
}

const check = () => person.client.call(operations.checkRegression, { repository: projectId, run_id: 'main' })

const resolve = (alertId: string, action: 'acknowledge' | 'reopen', reason: string) =>
  person.client.call(operations.resolveAlert, { alert_id: alertId, action, reason })

beforeAll(async () => {
  person = await signUp('Watcher')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Watched',
  })
  projectId = project.id
  runIds = []
  for (let run = 0; run < runCount; run += 1) {
    const submitted = await person.client.call(operations.submitBenchmarkResults, {
      repository: projectId,
      branch: 'main',
      commit_hash: `abcdef${String(run).padStart(4, '0')}`,
      results: goBench(run),
    })
    runIds.push(submitted.run.id)
  }
})

test('a lasting change is told once, and with the run that brought it', async () => {
  const alert = await waitForAlert(person, projectId)
  expect(alert).toMatchObject({
    state: 'open',
    verdict: 'regressed',
    test: 'change_point',
    branch: 'main',
    run_id: runIds[changedWith],
  })
  expect(alert.change_percent).toBeGreaterThan(12)
  expect(alert.change_percent).toBeLessThan(18)
  await expect.poll(noiseOfBenchmark).toBeGreaterThan(0.3)
  const { alerts } = await person.client.call(operations.listPerformanceAlerts, {
    project_id: projectId,
    state: 'all',
  })
  expect(alerts).toHaveLength(1)
})

test('a check fails until somebody accepts the change, and again when it is opened anew', async () => {
  const { id } = await waitForAlert(person, projectId)
  await person.client.call(operations.updateProject, {
    project_id: projectId,
    baseline_run_id: runIds[changedWith - 1] ?? '',
  })
  const failed = await check()
  expect(failed).toMatchObject({ passed: false, failure_count: 1, acknowledged_count: 0 })
  expect(failed.base?.id).toBe(runIds[changedWith - 1])
  expect(failed.head.id).toBe(runIds[runCount - 1])
  expect(failed.report).toContain('Failed')
  expect(failed.report).toContain('BenchmarkRoute')

  await resolve(id, 'acknowledge', 'The price of the new rules')
  expect(await check()).toMatchObject({ passed: true, failure_count: 0, acknowledged_count: 1 })

  const { alert } = await resolve(id, 'reopen', 'It was not')
  expect(alert).toMatchObject({ state: 'open', state_by: person.email, state_reason: 'It was not' })
  expect(await check()).toMatchObject({ passed: false, failure_count: 1 })
})

test('an ignored benchmark fails nothing; a critical one does whatever was accepted', async () => {
  const { id, benchmark_id } = await waitForAlert(person, projectId)
  const update = (change: { state?: 'active' | 'ignored'; is_critical?: boolean }) =>
    person.client.call(operations.updateBenchmark, { benchmark_id, ...change })
  await update({ state: 'ignored' })
  expect(await check()).toMatchObject({ passed: true, judged_count: 0, ignored_count: 1 })
  await update({ state: 'active', is_critical: true })
  await resolve(id, 'acknowledge', '')
  expect(await check()).toMatchObject({ passed: false, acknowledged_count: 1 })
  await update({ is_critical: false })
})

test('its history shows the change, the alert and what it is held against', async () => {
  const { alerts, change_points } = await historyOfBenchmark()
  expect(change_points.map(({ run_id }) => run_id)).toEqual([runIds[changedWith]])
  expect(alerts.map(({ run_id }) => run_id)).toEqual([runIds[changedWith]])
})

async function historyOfBenchmark() {
  const { alerts } = await person.client.call(operations.listPerformanceAlerts, {
    project_id: projectId,
    state: 'all',
  })
  const [alert] = alerts.flatMap((each) => (each.kind === 'benchmark' ? [each] : []))
  return person.client.call(operations.getBenchmarkHistory, { benchmark_id: alert?.benchmark_id ?? '' })
}

async function noiseOfBenchmark(): Promise<number> {
  const { benchmarks } = await person.client.call(operations.listBenchmarks, { repository: projectId })
  return benchmarks[0]?.noise_percent ?? 0
}

test('the functions that a change comes from add up to it', async () => {
  const [base, head] = [runIds[changedWith - 1] ?? '', runIds[changedWith] ?? '']
  const { result } = await person.client.call(operations.getBenchmarkResult, {
    run_id: head,
    benchmark: (await historyOfBenchmark()).benchmark.id,
  })
  const profile = async (runId: string, content: string) => {
    const { task_id } = await person.client.call(operations.createProfileUpload, {
      project_id: projectId,
      file_name: 'stacks.txt',
      type: 'cpu',
      run_id: runId,
      benchmark: result.uri,
      content,
    })
    await waitForTask(person, task_id)
  }
  await profile(base, 'main;route 100\n')
  await profile(head, 'main;route 100\nmain;route;match 15\n')
  const explained = await person.client.call(operations.explainRegression, {
    benchmark: result.uri,
    base_run_id: base,
    head_run_id: head,
    limit: 1,
  })
  expect(explained.functions).toMatchObject([{ name: 'match', state: 'added', base_self: 0 }])
  const [first] = explained.functions
  expect((first?.difference ?? 0) + explained.others_difference).toBeCloseTo(explained.change, 6)
  expect(explained.change).toBeCloseTo(explained.head_value - explained.base_value, 9)
  expect(explained.report).toContain('match')
})

test('a renamed benchmark is found by the uri it had, and the answer tells the one it has', async () => {
  const { benchmark } = await historyOfBenchmark()
  const formerUri = benchmark.uri
  const uri = 'example.com/router::BenchmarkRouting'
  await person.client.call(operations.renameBenchmark, { benchmark_id: benchmark.id, uri })
  const history = await person.client.call(operations.getBenchmarkHistory, {
    benchmark_id: formerUri,
    repository: projectId,
  })
  expect(history).toMatchObject({ renamed_from: formerUri, benchmark: { id: benchmark.id, uri } })
  const result = await person.client.call(operations.getBenchmarkResult, {
    run_id: runIds[0] ?? '',
    benchmark: formerUri,
  })
  expect(result).toMatchObject({ renamed_from: formerUri, result: { benchmark_id: benchmark.id, uri } })
  const tried = await person.client.call(operations.setThreshold, {
    repository: projectId,
    benchmark_id: formerUri,
    test: 'percentage',
    upper_bound: 0.1,
    dry_run: true,
  })
  expect(tried).toMatchObject({ benchmark_uri: uri, threshold: { benchmark_id: benchmark.id } })
  expect(tried.would_have_raised.map(({ verdict }) => verdict)).toContain('regressed')
})

test('a project does without alerts while somebody wants it so, and is told who', async () => {
  const submit = (run: number) =>
    person.client.call(operations.submitBenchmarkResults, {
      repository: projectId,
      branch: 'main',
      commit_hash: `abcdee${run}`,
      results: goBench(run),
    })
  const alertsOf = (runId: string) =>
    person.client.call(operations.listPerformanceAlerts, {
      project_id: projectId,
      state: 'all',
      run_id: runId,
    })
  await person.client.call(operations.setThreshold, {
    repository: projectId,
    branch: 'main',
    test: 'static',
    upper_bound: 1,
  })
  const off = await person.client.call(operations.updateProject, { project_id: projectId, alerts: false })
  expect(off.project.alerts_off_since).toEqual(expect.any(String))
  const { alerts_off: told } = await person.client.call(operations.listThresholds, { repository: projectId })
  expect(told).toEqual({ since: off.project.alerts_off_since, by: person.email })

  const silent = await submit(1000)
  await isJudged(silent.run.id)
  await person.client.call(operations.updateProject, { project_id: projectId, alerts: true })
  const { run } = await submit(1001)
  await expect.poll(async () => (await alertsOf(run.id)).alerts.length).toBe(1)
  expect(await alertsOf(silent.run.id)).toMatchObject({ alerts_off: null, alerts: [] })
})

async function isJudged(runId: string): Promise<void> {
  const database = await openPlatformDatabase()
  try {
    const caller = testCaller(person.userId, { [person.workspaceId]: 'owner' }, 'read')
    const unjudgedSince = async () => (await database.stores.runs.find(caller, runId))?.unjudgedSince
    await expect.poll(unjudgedSince).toBeNull()
  } finally {
    await database.close()
  }
}

test('a fixed limit fails a run that there is nothing to compare with', async () => {
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Limited',
  })
  const threshold = (by: 'static' | 't_test', upper_bound: number) =>
    person.client.call(operations.setThreshold, { repository: project.id, test: by, upper_bound })
  await person.client.call(operations.submitBenchmarkResults, {
    repository: project.id,
    branch: 'main',
    commit_hash: 'abcdef1',
    results: goBench(0),
  })
  const checked = () =>
    person.client.call(operations.checkRegression, { run_id: 'latest', repository: project.id })
  await threshold('t_test', 0.99)
  expect(await checked()).toMatchObject({
    passed: true,
    base: null,
    judged_count: 0,
    notes: ['Nothing judges one value. Not evaluated: 0 values before this one, and t_test needs 5.'],
  })
  await threshold('static', 500)
  const failed = await checked()
  expect(failed).toMatchObject({ passed: false, base: null, judged_count: 1, failure_count: 1 })
  expect(failed.failures[0]?.reason).toMatch(/^By its threshold: .* is above the upper limit 500 ns/)
})
