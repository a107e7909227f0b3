import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startGitHub } from './github-jobs.ts'
import { platform, signUp, type Person } from './person.ts'
import { programEnv } from './program-env.ts'

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')

interface Ended {
  exitCode: number
  out: string
  error: string
}

/** The command line as a CI job runs it: nothing of this machine's own CI is in its environment. */
function flamegate(cwd: string, env: Record<string, string>, args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [cli, ...args],
      { cwd, env: { ...programEnv, HOME: cwd, ...env } },
      (error, out, text) => {
        const code = error === null ? 0 : error.code
        resolve({ exitCode: typeof code === 'number' ? code : -1, out, error: text })
      },
    )
  })
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-ci-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

function rounds(name: string, ns: number): string {
  return Array.from({ length: 10 }, (_, round) => `${name}-2 1000 ${ns + (round % 5)} ns/op\n`).join('')
}

/** Ten rounds of two benchmarks that differ by little. */
function goBench(parseNs: number): string {
  return `goos: linux\ngoarch: amd64\npkg: example.com/app\n${rounds('BenchmarkParse', parseNs)}${rounds('BenchmarkRender', 700)}PASS\n`
}

async function projectWithToken(person: Person, repository: string) {
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'CI',
    repository,
  })
  const { secret } = await person.client.call(operations.createApiToken, {
    workspace_id: person.workspaceId,
    name: 'CI',
    scopes: ['upload'],
  })
  return { project, secret }
}

function jobOf(repository: string, branch: string, commit: string): Record<string, string> {
  return {
    GITLAB_CI: 'true',
    CI_PROJECT_PATH: repository,
    CI_COMMIT_BRANCH: branch,
    CI_COMMIT_SHA: commit.repeat(40),
    CI_JOB_ID: `job of ${commit}`,
  }
}

test('a job measures, uploads and is told of a regression, with a token that may only upload', async () => {
  const person = await signUp('Gate')
  const repository = `acme/gate-${Date.now()}`
  const { secret } = await projectWithToken(person, repository)
  const cwd = await newFolder()
  const env = { FLAMEGATE_URL: platform().url, FLAMEGATE_TOKEN: secret }
  const measure = async (branch: string, commit: string, parseNs: number, ...args: string[]) => {
    await writeFile(join(cwd, 'out.txt'), goBench(parseNs))
    const job = { ...env, ...jobOf(repository, branch, commit) }
    return flamegate(cwd, job, ['run', '--check', '--no-environment', ...args, '--', 'cat', 'out.txt'])
  }

  const first = await measure('main', 'a', 1000)
  expect(first).toMatchObject({ exitCode: 0, error: '' })
  expect(first.out).toContain('BenchmarkParse-2 1000 1004 ns/op')
  expect(first.out).toContain('stdout: 2 results, read as go_bench, are run run_')
  expect(first.out).toContain('Passed: there is no earlier run')

  const same = await measure('feat/same', 'b', 1000)
  expect(same).toMatchObject({ exitCode: 0 })
  const slower = await measure('feat/slow', 'c', 1500, '--format', 'junit', '--output', 'check.xml')
  expect(slower).toMatchObject({ exitCode: 1 })
  expect(slower.out).toMatch(/Failed: 1 of 2 benchmarks/)
  expect(slower.out).toMatch(/regressed by \+49\.\d %: .*BenchmarkParse/)
  expect(await readFile(join(cwd, 'check.xml'), 'utf8')).toMatch(/<testsuite [^>]*failures="1"/)

  const again = await flamegate(cwd, { ...env, ...jobOf(repository, 'feat/slow', 'c') }, ['check'])
  expect(again.exitCode).toBe(1)
  const other = await flamegate(cwd, { ...env, ...jobOf(repository, 'feat/same', 'b') }, ['check'])
  expect(other.exitCode).toBe(0)
})

test('a folder is uploaded as one run, and once however often that is repeated', async () => {
  const person = await signUp('Folder')
  const repository = `acme/folder-${Date.now()}`
  const { project, secret } = await projectWithToken(person, repository)
  const cwd = await newFolder()
  await writeFile(join(cwd, 'a.txt'), goBench(1000))
  await writeFile(
    join(cwd, 'b.json'),
    JSON.stringify({
      results: [
        {
          command: 'sleep 0.1',
          mean: 0.1,
          stddev: 0.001,
          median: 0.1,
          user: 0,
          system: 0,
          min: 0.099,
          max: 0.102,
          times: [0.099, 0.1, 0.101, 0.102],
        },
      ],
    }),
  )
  const env = { FLAMEGATE_URL: platform().url, FLAMEGATE_TOKEN: secret, ...jobOf(repository, 'main', 'a') }
  const upload = () => flamegate(cwd, env, ['upload', '.', '--no-environment', '--json'])
  const uploaded = await upload()
  expect(uploaded).toMatchObject({ exitCode: 0, error: '' })
  expect(JSON.parse(uploaded.out)).toMatchObject({
    result_count: 3,
    adapter: expect.stringContaining('hyperfine'),
  })
  expect(JSON.parse((await upload()).out)).toEqual(JSON.parse(uploaded.out))
  const { runs } = await person.client.call(operations.listRuns, { repository: project.id })
  expect(runs).toHaveLength(1)
})

test('a job of GitHub Actions uploads without a secret, if the project lets it', async () => {
  const repository = `acme/keyless-${Date.now()}`
  const gitHub = await startGitHub(repository, inject('githubIssuerPort'))
  onTestFinished(() => gitHub.stop())
  const person = await signUp('Keyless')
  const { project } = await projectWithToken(person, repository)
  const other = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Other',
  })
  const cwd = await newFolder()
  await writeFile(join(cwd, 'out.txt'), goBench(1000))
  const env = {
    FLAMEGATE_URL: platform().url,
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: repository,
    GITHUB_REF_NAME: 'main',
    GITHUB_SHA: 'a'.repeat(40),
    GITHUB_EVENT_NAME: 'push',
    ACTIONS_ID_TOKEN_REQUEST_URL: `${gitHub.url}/identity?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the job',
  }
  const upload = (...args: string[]) => flamegate(cwd, env, ['upload', 'out.txt', '--check', ...args])

  expect(await upload()).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining('Turn keyless uploads on'),
  })
  const { project: changed } = await person.client.call(operations.updateProject, {
    project_id: project.id,
    keyless_uploads: true,
  })
  expect(changed.keyless_uploads).toBe(true)
  expect(await upload()).toMatchObject({
    exitCode: 0,
    error: '',
    out: expect.stringContaining('2 results'),
  })
  // Of the same workspace and person, and yet not there for this job.
  expect(await upload('--repository', other.project.id)).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining('repository_not_found'),
  })
  expect(
    await flamegate(cwd, env, ['call', 'list_projects', '--workspace-id', person.workspaceId]),
  ).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining('insufficient_scope'),
  })
  const { events } = await person.client.call(operations.searchAuditLog, {
    workspace_id: person.workspaceId,
    operation: 'issue_keyless_token',
  })
  expect(events.length).toBeGreaterThanOrEqual(1)
  expect(events[0]).toMatchObject({ target: project.id, outcome: 'ok' })

  await person.client.call(operations.updateProject, { project_id: project.id, keyless_uploads: false })
  expect(await upload()).toMatchObject({ exitCode: 1 })
})

/** A benchmark, and a machine that slows down and speeds up by a quarter: each pair of processes finds it otherwise. */
async function driftingProject(): Promise<{ base: string; same: string; slower: string }> {
  const folder = await newFolder()
  const variant = async (name: string, work: number) => {
    const cwd = join(folder, name)
    await mkdir(cwd)
    const script = `taken=$(cat ../taken 2>/dev/null | wc -l); echo >> ../taken; pair=$((taken / 2))
      echo "BenchmarkParse-2 1000 $(((1000 + pair * 137 % 250) * ${work} / 100 + taken % 3)) ns/op"; echo PASS`
    await writeFile(join(cwd, 'bench.sh'), script)
    return cwd
  }
  return {
    base: await variant('base', 100),
    same: await variant('same', 100),
    slower: await variant('slower', 110),
  }
}

test('without a history, base and head measured in turns tell 10 % on a machine that drifts by more', async () => {
  const person = await signUp('Turns')
  const repository = `acme/turns-${Date.now()}`
  const { project, secret } = await projectWithToken(person, repository)
  const folders = await driftingProject()
  const measure = (cwd: string, commit: string) =>
    flamegate(
      cwd,
      {
        FLAMEGATE_URL: platform().url,
        FLAMEGATE_TOKEN: secret,
        ...jobOf(repository, `feat/${commit}`, commit),
      },
      [
        'run',
        '--check',
        '--no-environment',
        '--base-dir',
        folders.base,
        '--base-commit',
        'a'.repeat(40),
        '--repeat',
        '8',
        '--',
        'sh',
        'bench.sh',
      ],
    )

  const same = await measure(folders.same, 'b')
  expect(same).toMatchObject({ exitCode: 0, error: expect.stringContaining('8 of 8, base\n') })
  const slower = await measure(folders.slower, 'c')
  expect(slower.exitCode).toBe(1)
  expect(slower.out).toMatch(/regressed by \+(9\.\d|10\.\d) %: .*BenchmarkParse/)

  const { client } = person
  const { runs } = await client.call(operations.listRuns, { repository })
  const [head, base] = runs
  expect([head?.branch, base?.branch]).toEqual(['feat/c', 'feat/c~base'])
  expect(head?.measurement_id).toMatch(/^[\w-]{36}$/)
  expect(base?.measurement_id).toBe(head?.measurement_id)
  const checked = await client.call(operations.checkRegression, { run_id: head?.id ?? '' })
  expect(checked).toMatchObject({ passed: false, base: { id: base?.id } })
  expect(checked.failures[0]?.reason).toContain('by 8 pairs of processes that ran in turns')
  const measured = await client.call(operations.getBenchmarkResult, {
    run_id: head?.id ?? '',
    benchmark: 'BenchmarkParse',
  })
  expect(measured.process_values).toHaveLength(8)
  expect(measured.known_issues.map(({ code }) => code)).not.toContain('few_rounds')

  // The commit of base has two runs of a day now, and the branch that it is of still has none.
  const { runs: ofMain } = await client.call(operations.listRuns, { repository: project.id, branch: 'main' })
  expect(ofMain).toEqual([])
})
