import { operations } from '@flamegate/contract'
import { beforeAll, expect, test } from 'vitest'
import { signUp, type Person } from './person.ts'
import { waitForTask } from './world.ts'

/** Questions about several profiles, from their upload on. */

let person: Person
let projectId: string
let base: string
let more: string
let head: string

beforeAll(async () => {
  person = await signUp('Comparing')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Several profiles',
  })
  projectId = project.id
  base = await upload('base.txt', 'main;parse 3000\nmain;render 6000\nmain 1000\n')
  more = await upload('more.txt', 'main;parse 3000\nmain;render 6000\nmain 1000\n')
  head = await upload('head.txt', 'main;parse 3000\nmain;match 11000\nmain;render 6000\n')
})

async function upload(
  fileName: string,
  content: string,
  runId?: string,
  benchmark?: string,
): Promise<string> {
  const { profile_id: id, task_id: taskId } = await person.client.call(operations.createProfileUpload, {
    project_id: projectId,
    file_name: fileName,
    content,
    ...(runId === undefined ? {} : { run_id: runId, benchmark }),
  })
  await waitForTask(person, taskId)
  return id
}

test('what changed between two profiles is told in amounts that add up', async () => {
  const answer = await person.client.call(operations.compareProfiles, {
    base: [base],
    head: [head],
    top_n: 1,
  })
  expect(answer).toMatchObject({
    normalize: 'none',
    base_value: 10_000,
    head_value: 20_000,
    difference_percent: 100,
    counts: { added: 1, removed: 0, better: 1, worse: 0, same: 2 },
    functions: [{ function_name: 'match', state: 'added', self_difference: 11_000, is_sure: true }],
    others_difference: -1000,
    calls: [{ path: ['main', 'match'] }],
  })
  expect(answer.url).toContain(`/profiles/compare?base=${base}&head=${head}`)
  expect(answer.report).toContain('| match | Unknown | added |')
  expect(answer.report).toContain('match is the first of what became worse')
})

test('a set of profiles is added up, and shares are compared where that is asked for', async () => {
  const sets = { base: [base, more], head: [head] }
  const plain = await person.client.call(operations.compareProfiles, sets)
  expect(plain).toMatchObject({ base_value: 20_000, head_value: 20_000 })
  const shares = await person.client.call(operations.compareProfiles, {
    ...sets,
    base: [base],
    normalize: 'total',
  })
  expect(shares).toMatchObject({ base_value: 10_000, head_value: 10_000, head_factor: 0.5 })
  const scaled = await person.client.call(operations.compareProfiles, { ...sets, normalize: '0.25' })
  expect(scaled).toMatchObject({ normalize: 'factor', head_value: 5000 })
})

const ask = (format: 'text' | 'json' | 'flamegraph-json') =>
  person.client.call(operations.compareProfiles, { base: [base], head: [head], format })

test('the report comes as text, and as a tree for d3-flame-graph', async () => {
  expect((await ask('text')).report).toMatch(/^ +0 +11,000 +\+11,000 +0 +11,000 +\+11,000 +added +match$/m)
  const { report: _report, url: _url, ...answer } = await ask('json')
  expect(JSON.parse((await ask('json')).report)).toEqual(answer)
  expect(JSON.parse((await ask('flamegraph-json')).report)).toMatchObject({
    name: 'root',
    value: 20_000,
    delta: 10_000,
    children: [
      { name: 'main', children: [{ name: 'parse' }, { name: 'render' }, { name: 'match', delta: 11_000 }] },
    ],
  })
})

test('the runs of a benchmark are compared by what they measured, as explain_regression does', async () => {
  const measure = async (branch: string, ns: number, stacks: string) => {
    const { run, benchmarks } = await person.client.call(operations.submitBenchmarkResults, {
      repository: projectId,
      branch,
      commit_hash: 'abcdef1',
      results: `pkg: example.com/a\nBenchmarkMatch-2 1000 ${ns} ns/op\nPASS\n`,
    })
    await upload(`${branch}.txt`, stacks, run.id, benchmarks[0])
    return { runId: run.id, benchmark: benchmarks[0]! }
  }
  const before = await measure('main', 1000, 'main;parse 30\nmain;render 70\n')
  const after = await measure('slow', 3000, 'main;parse 10\nmain;render 20\nmain;match 70\n')
  const { benchmark } = after
  const compared = await person.client.call(operations.compareProfiles, {
    base: [before.runId],
    head: [after.runId],
    benchmark,
  })
  expect(compared).toMatchObject({ normalize: 'measured', unit: 'ns', base_value: 1000, head_value: 3000 })
  const explained = await person.client.call(operations.explainRegression, {
    base_run_id: before.runId,
    head_run_id: after.runId,
    benchmark,
  })
  expect(explained.functions.map(({ name, difference, state }) => [name, difference, state])).toEqual(
    compared.functions.map((each) => [each.function_name, each.self_difference, each.state]),
  )
  const link = `/profiles/compare?base=${before.runId}&head=${after.runId}&benchmark=${explained.benchmark_id}`
  expect(explained.report).toContain(link)
  const runs = { base_run_id: before.runId, head_run_id: after.runId }
  expect((await person.client.call(operations.compareRuns, runs)).report).toContain(link)
  const check = { base_run_id: before.runId, run_id: after.runId }
  expect((await person.client.call(operations.checkRegression, check)).report).toContain(link)
})

const refusal = (input: { base: string[]; head: string[]; normalize?: string }) =>
  person.client.call(operations.compareProfiles, input).then(
    () => 'accepted',
    (error: Error) => error.message,
  )

test('what does not go together is refused in words', async () => {
  const heap = await uploadHeap(1, { keep: 10 })
  expect(await refusal({ base: [heap], head: [head] })).toContain(
    'not both profiles have the sample type samples',
  )
  expect(await refusal({ base: [base], head: [heap, base] })).toContain('no sample type is common to all')
  expect(await refusal({ base: [base], head: [head], normalize: 'duration' })).toContain(
    'not both profiles have a duration',
  )
  expect(await refusal({ base: [base], head: [head], normalize: 'measured' })).toContain(
    'Only runs have something measured',
  )
  expect(await refusal({ base: [base], head: ['run_none'] })).toContain('Say which benchmark')
})

test('a leak is told from what stays, between two heap profiles and over a series', async () => {
  const ids: string[] = []
  for (const [index, inUse] of [1, 2, 3, 4, 5].entries()) {
    // oxlint-disable-next-line no-await-in-loop -- the time of their upload is the order that they have
    ids.push(await uploadHeap(index, { leak: inUse * 1e6, table: 3e6, small: 64 }))
  }
  const [first = '', last = ''] = [ids[0], ids.at(-1)]
  const leaks = await person.client.call(operations.detectMemoryLeaks, {
    base_profile_id: first,
    head_profile_id: last,
  })
  expect(leaks).toMatchObject({
    verdict: 'leak_likely',
    growth: 4e6,
    allocated: null,
    growing: [{ function_name: 'leak', file: 'file:///app/app.js', growth: 4e6, is_sure: true }],
    others_growth: 0,
  })
  expect(leaks.notes.join(' ')).toContain('times of upload')
  const swapped = { base_profile_id: last, head_profile_id: first }
  await expect(person.client.call(operations.detectMemoryLeaks, swapped)).rejects.toThrow('swap them')

  const series = await person.client.call(operations.analyzeHeapTimeSeries, { profile_ids: ids.toReversed() })
  expect(series.series.map(({ profile_id: id }) => id)).toEqual(ids)
  expect(series.growing).toMatchObject([{ function_name: 'leak', certainty: 'sure', rising_percent: 100 }])
  expect(series.growing[0]?.slope_low_per_hour).toBeGreaterThan(0)
  expect(series.report).toContain('**A leak is sure**: leak (file:///app/app.js')
  const two = { profile_ids: [first, last, first] }
  await expect(person.client.call(operations.analyzeHeapTimeSeries, two)).rejects.toThrow(
    'three different profiles',
  )
})

const place = { scriptId: '1', url: 'file:///app/app.js', lineNumber: 1, columnNumber: 1 }

/** A heap profile as V8 writes it, of functions that keep so many bytes. */
function uploadHeap(index: number, functions: Record<string, number>): Promise<string> {
  const children = Object.entries(functions).map(([name, selfSize], at) => ({
    callFrame: { ...place, functionName: name },
    selfSize,
    id: at + 2,
    children: [],
  }))
  const content = { head: { callFrame: { ...place, functionName: '(root)' }, selfSize: 0, id: 1, children } }
  return upload(`heap-${index}.heapprofile`, JSON.stringify(content))
}
