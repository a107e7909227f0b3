import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { apiToken, logIn, platform, signUp, type Person } from '../system/person.ts'
import { recordWatchedProject } from '../system/watched-project.ts'
import { followGuide } from './follow-guide.ts'
import { makeMeasuredProgram, type MeasuredProgram } from './measured-program.ts'

/** Guides of benchmarks and CI, followed with real programs, measured by our own command line. */

let person: Person
/** Of that person, for tools. */
let token: string
/** As it is given to CI: for the command line. */
let uploadToken: string
const stacks = 'main;distinct 90\nmain;distinct;includes 400\n'

beforeAll(async () => {
  person = await signUp('Measurer')
  token = await apiToken(person, ['read', 'write'])
  uploadToken = await apiToken(person, ['upload'])
})

async function createProject(name: string): Promise<{ id: string; repository: string }> {
  const repository = `guides/${name}-${Date.now()}`
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name,
    repository,
  })
  return { id: project.id, repository }
}

async function createProgram(repository: string): Promise<MeasuredProgram> {
  const program = await makeMeasuredProgram(repository)
  onTestFinished(() => rm(program.folder, { recursive: true }))
  return program
}

test('explain-regression names the function that the demo was made slower by', async () => {
  const { email, password } = platform().demo
  const answers = await followGuide('explain-regression', {
    token: await apiToken(await logIn(email, password), ['read']),
    given: { repository: 'flamegate-demo/checkout-service' },
  })
  expect(answers.get('explain_regression')).toMatchObject({
    functions: expect.arrayContaining([expect.objectContaining({ name: 'findMatchingRules' })]),
  })
})

test('upload-results records a run with a profile of its benchmark', async () => {
  const { repository } = await createProject('uploaded')
  const answers = await followGuide('upload-results', {
    token,
    given: {
      repository,
      branch: 'main',
      commit_hash: 'abc1234',
      results: 'BenchmarkDistinct-8 1000 1042 ns/op\nBenchmarkDistinct-8 1000 1043 ns/op\nPASS\n',
      profile: stacks,
      cpu: 'AMD EPYC 7763',
      runtime: 'go1.26',
    },
  })
  expect(answers.get('get_run')).toMatchObject({
    run: { adapter: 'go_bench', environment: { runtime: 'go1.26' } },
    results: [{ uri: 'BenchmarkDistinct', value: 1042.5, unit: 'ns' }],
  })
})

test('async-polling waits until an uploaded profile is read', async () => {
  const { id } = await createProject('polled')
  const cwd = await mkdtemp(join(tmpdir(), 'flamegate-polling-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  await writeFile(join(cwd, 'stacks.txt'), stacks)
  const answers = await followGuide('async-polling', {
    token,
    given: { project_id: id, file_name: 'stacks.txt', size_bytes: stacks.length },
    cwd,
  })
  expect(answers.get('get_profile')).toMatchObject({ profile: { project_id: id, sample_count: 490 } })
})

test('watch-benchmarks follows an alert to its run, and a check passes once it is accepted', async () => {
  const { projectId, slowedBenchmarkId } = await recordWatchedProject(person)
  const answers = await followGuide('watch-benchmarks', {
    token,
    given: { project_id: projectId, repository: projectId, reason: 'The price of checking twice' },
    afterStep: async (_step, soFar) => {
      if (!soFar.has('compare_runs') || soFar.has('resolve_alert')) return
      const { head } = z.object({ head: z.object({ id: z.string() }) }).parse(soFar.get('compare_runs'))
      const before = await person.client.call(operations.checkRegression, { run_id: head.id })
      expect(before).toMatchObject({ passed: false, failure_count: 1 })
    },
  })
  expect(answers.get('resolve_alert')).toMatchObject({
    alert: { benchmark_id: slowedBenchmarkId, state_reason: 'The price of checking twice' },
  })
  expect(answers.get('compare_runs')).toMatchObject({
    head: { commit_message: 'Check every token twice' },
    benchmarks: expect.arrayContaining([expect.objectContaining({ verdict: 'regressed' })]),
  })
  expect(answers.get('check_regression')).toMatchObject({ acknowledged_count: 1 })
  const { thresholds } = await person.client.call(operations.listThresholds, { repository: projectId })
  expect(thresholds.filter(({ is_default }) => !is_default)).toEqual([])
})

test('optimize-loop finds the hot function of a real program, and proves that a change of it is faster', async () => {
  const { repository } = await createProject('optimized')
  const program = await createProgram(repository)
  const answers = await followOptimizeLoop(repository, program, 'fast')
  expect(answers.get('query_flamegraph')).toMatchObject({
    expensive_calls: expect.arrayContaining([expect.objectContaining({ function_name: 'distinct' })]),
  })
  expect(answers.get('compare_runs')).toMatchObject({
    base: { branch: 'main~base' },
    head: { branch: 'main', commit_message: 'One change' },
    benchmarks: [{ verdict: 'improved', uri: 'BenchmarkDistinct' }],
  })
})

test('optimize-loop does not end with a change that is no faster', async () => {
  const { repository } = await createProject('unchanged')
  const program = await createProgram(repository)
  await expect(followOptimizeLoop(repository, program, 'twice')).rejects.toThrow(
    /"improved".* is 0, not \{"above":0\}/,
  )
})

function followOptimizeLoop(repository: string, program: MeasuredProgram, variant: 'fast' | 'twice') {
  return followGuide('optimize-loop', {
    token,
    given: {
      repository,
      measure: program.measure,
      test: program.test,
      setup: 'true',
      profiler: '--node',
    },
    cwd: program.folder,
    env: { FLAMEGATE_TOKEN: uploadToken },
    afterStep: async (_step, soFar) => {
      if (soFar.has('query_flamegraph')) await program.become(variant)
    },
  })
}

test('ci-setup ends with a gate that lets the code pass, and slower code not', async () => {
  const { id, repository } = await createProject('gated')
  const program = await createProgram(repository)
  const answers = await followGuide('ci-setup', {
    token,
    given: { repository, project_id: id, measure: program.measure },
    cwd: program.folder,
    env: { FLAMEGATE_TOKEN: uploadToken },
    afterStep: async (_step, soFar) => {
      if (soFar.has('get_run') && !soFar.has('check_regression')) await program.become('slower')
    },
  })
  expect(answers.get('check_regression')).toMatchObject({
    base: { branch: 'main' },
    head: { branch: 'gate-rehearsal' },
    failures: [{ uri: 'BenchmarkDistinct' }],
  })
})
