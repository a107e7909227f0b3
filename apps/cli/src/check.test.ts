import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { operations, Problem } from '@flamegate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { runForTest } from './testing/run-for-test.ts'
import { closedUrl, serveApi, type Reply } from './testing/serve-api.ts'

const compared = operations.compareRuns.examples[0]!.output
const slower = compared.benchmarks[0]!
const steady = {
  ...slower,
  benchmark_id: 'ben_02',
  uri: 'parse <&> "all"',
  name: 'parse <&> "all"',
  verdict: 'unchanged',
  reason: 'It is\u0001 the same.',
}
const gone = {
  ...slower,
  benchmark_id: 'ben_03',
  uri: 'gone',
  name: 'gone',
  verdict: 'missing',
  head_value: null,
  change_percent: null,
  reason: 'It was not measured.',
}

const failed = {
  passed: false,
  base: compared.base,
  head: compared.head,
  failures: [slower],
  failure_count: 1,
  judged_count: 3,
  acknowledged_count: 1,
  ignored_count: 0,
  notes: [],
  report: '## Failed: 1 of 3',
}
const replies: Record<string, Reply> = {
  check_regression: () => failed,
  compare_runs: () => ({ benchmarks: [slower, steady, gone] }),
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'flamegate-cli-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

test('check ends with 0 for a run that passes, and says so', async () => {
  const api = await serveApi()
  const { exitCode, out } = await runForTest(['check', 'run_01'], api)
  expect({ exitCode, out }).toEqual({
    exitCode: 0,
    out: 'Passed: there is no earlier run to judge run_01 against.\nhttps://flamegate.example/runs/run_01\n',
  })
})

test('check says what thresholds alone could judge, and what they could not', async () => {
  const note = 'Nothing judges one value. Not evaluated: 0 values before this one, and t_test needs 5.'
  const api = await serveApi({
    check_regression: () => ({ ...failed, base: null, judged_count: 1, notes: [note] }),
  })
  const { exitCode, out } = await runForTest(['check', 'run_02'], api)
  expect(exitCode).toBe(1)
  expect(out).toContain(
    'Failed: 1 of 1 benchmarks of run_02 by thresholds alone, as there is no earlier run.',
  )
  expect(out).toContain(note)
})

test('check ends with 1 for a regression, and says which and why', async () => {
  const api = await serveApi(replies)
  const { exitCode, out } = await runForTest(
    [
      'check',
      '--run',
      'run_02',
      '--fail-on',
      'regressed,noisy',
      '--base',
      'run_01',
      '--threshold-percent',
      '3',
    ],
    api,
  )
  expect(exitCode).toBe(1)
  expect(out).toBe(`Failed: 1 of 3 benchmarks of run_02 against run_01 (main at abc1234).
  regressed by +59.7 %: bench/pricing.bench.js::pricing::price cart
    ${slower.reason}
1 regressions were acknowledged and do not count.
https://flamegate.example/runs/run_02/report?base=run_01
`)
  expect(api.calls).toHaveLength(1)
  expect(api.calls[0]?.input).toMatchObject({ run_id: 'run_02', base_run_id: 'run_01' })
})

test('check looks for the newest run of the branch that CI names', async () => {
  const api = await serveApi()
  const env = { GITLAB_CI: 'true', CI_PROJECT_PATH: 'acme/checkout', CI_COMMIT_BRANCH: 'feat/x' }
  await runForTest(['check'], { ...api, env })
  expect(api.calls[0]?.input).toMatchObject({ run_id: 'feat/x', repository: 'acme/checkout' })
})

test('check ends with 2 for everything that is no verdict', async () => {
  const refusing = await serveApi({
    check_regression: () => {
      throw new Problem('run_not_found', 'No such run.')
    },
  })
  expect((await runForTest(['check', 'run_x'], refusing)).exitCode).toBe(2)
  expect((await runForTest(['check', 'run_x'], { url: await closedUrl() })).exitCode).toBe(2)
  expect((await runForTest(['check', 'run_x', '--format', 'pdf'], refusing)).exitCode).toBe(2)
  expect((await runForTest(['check', '--nonsense'], refusing)).exitCode).toBe(2)
})

test('check waits for a run that is still being read', async () => {
  const api = await serveApi({
    check_regression: (_input, callNumber) => {
      if (callNumber < 3) throw new Problem('not_ready', 'Its results are being read.')
      return {}
    },
  })
  expect(await runForTest(['check', 'run_01'], api)).toMatchObject({ exitCode: 0 })
  expect(api.calls).toHaveLength(3)
})

test('check writes JUnit with one test case per benchmark', async () => {
  const api = await serveApi(replies)
  const { out, error } = await runForTest(['check', 'run_02', '--format', 'junit'], api)
  expect(error).toBe('')
  expect(out).toContain(
    '<testsuite name="Flamegate feat/loyalty abc1234" tests="3" failures="1" errors="0" skipped="1" timestamp="2026-11-20T10:00:00">',
  )
  expect(out).toContain(
    '<testcase classname="bench/pricing.bench.js::pricing" name="price cart" time="0.000019800">',
  )
  expect(out).toContain('<failure message="regressed by +59.7 %" type="regressed">')
  expect(out).toContain(
    '<testcase classname="parse &lt;&amp;&gt; &quot;all&quot;" name="parse &lt;&amp;&gt; &quot;all&quot;" time="0.000019800"/>',
  )
  expect(out).toContain('<skipped message="missing: It was not measured."/>')
  expect(out.match(/<testcase /g)).toHaveLength(3)
})

test('check writes JUnit of what fails, with a token that may read nothing else', async () => {
  const api = await serveApi({
    ...replies,
    compare_runs: () => {
      throw new Problem('insufficient_scope', 'It needs read.')
    },
  })
  const { exitCode, out } = await runForTest(['check', 'run_02', '--format', 'junit'], api)
  expect(exitCode).toBe(1)
  expect(out.match(/<testcase /g)).toHaveLength(1)
})

test('check writes SARIF 2.1.0 with what its schema wants', async () => {
  const api = await serveApi(replies)
  const { out } = await runForTest(['check', 'run_02', '--format', 'sarif'], api)
  const log = JSON.parse(out)
  expect(log).toMatchObject({ version: '2.1.0', $schema: expect.stringContaining('sarif-2.1.0') })
  const [{ tool, results }] = log.runs
  expect(tool.driver).toMatchObject({ name: 'Flamegate', informationUri: 'https://flamegate.example/' })
  const ids = tool.driver.rules.map(({ id }: { id: string }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(results).toHaveLength(1)
  expect(results[0]).toMatchObject({
    ruleId: 'regressed',
    level: 'error',
    message: { text: `price cart: ${slower.reason}` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: 'bench/pricing.bench.js' }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: slower.uri }],
      },
    ],
    partialFingerprints: { 'benchmarkId/v1': 'ben_01' },
  })
  expect(ids[results[0].ruleIndex]).toBe('regressed')
})

test('check writes to a file and the summary of the job, and prints text', async () => {
  const api = await serveApi(replies)
  const cwd = await folder()
  const summary = join(cwd, 'summary.md')
  const { out } = await runForTest(['check', 'run_02', '--format', 'json', '--output', 'check.json'], {
    ...api,
    cwd,
    env: { GITHUB_STEP_SUMMARY: summary },
  })
  expect(out).toMatch(/^Failed: 1 of 3/)
  expect(JSON.parse(await readFile(join(cwd, 'check.json'), 'utf8'))).toMatchObject({ passed: false })
  expect(await readFile(summary, 'utf8')).toBe(
    '## Failed: 1 of 3\n\nhttps://flamegate.example/runs/run_02/report?base=run_01\n',
  )
})

test('check ends with 2, and not as a regression, when the file cannot be written', async () => {
  const api = await serveApi(replies)
  const cwd = await folder()
  expect(await runForTest(['check', 'run_02', '--output', 'none/check.txt'], { ...api, cwd })).toMatchObject({
    exitCode: 2,
    error: expect.stringMatching(/^none\/check\.txt cannot be written: ENOENT/),
  })
})

test('check says that the summary of the job cannot be written, and ends with its verdict', async () => {
  const api = await serveApi()
  const cwd = await folder()
  const env = { GITHUB_STEP_SUMMARY: join(cwd, 'none/summary.md') }
  expect(await runForTest(['check', 'run_01'], { ...api, cwd, env })).toMatchObject({
    exitCode: 0,
    error: expect.stringMatching(/^The report is not in the summary of the job: ENOENT/),
  })
})

interface Comment {
  id: number
  body: string
}

/** GitHub's comments of one issue, 100 to a page. */
async function serveGitHub(comments: Comment[], status?: number) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://github')
      seen.push(`${request.method} ${url.pathname}`)
      if (status !== undefined) return response.writeHead(status).end('{}')
      if (request.method === 'GET') {
        const page = Number(url.searchParams.get('page'))
        return response.end(JSON.stringify(comments.slice((page - 1) * 100, page * 100)))
      }
      const { body: written }: Comment = JSON.parse(body)
      const id = Number(url.pathname.split('/').at(-1))
      const own = request.method === 'PATCH' ? comments.find((each) => each.id === id) : undefined
      if (own) own.body = written
      else comments.push({ id: comments.length + 1, body: written })
      return response.end(JSON.stringify({ html_url: 'https://github.example/c' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port')
  return {
    seen,
    env: {
      GITHUB_ACTIONS: 'true',
      GITHUB_REF: 'refs/pull/12/merge',
      GITHUB_REPOSITORY: 'acme/checkout',
      GITHUB_TOKEN: 'ghs_1',
      GITHUB_API_URL: `http://127.0.0.1:${address.port}`,
    },
  }
}

test('check keeps one comment in a pull request', async () => {
  const api = await serveApi(replies)
  const others = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, body: 'Nice!' }))
  const gitHub = await serveGitHub(others)
  const { error } = await runForTest(['check', 'run_02'], { ...api, env: gitHub.env })
  await runForTest(['check', 'run_02'], { ...api, env: gitHub.env })
  expect(error).toBe('The report is in the pull request. https://github.example/c\n')
  expect(gitHub.seen).toEqual([
    'GET /repos/acme/checkout/issues/12/comments',
    'GET /repos/acme/checkout/issues/12/comments',
    'POST /repos/acme/checkout/issues/12/comments',
    'GET /repos/acme/checkout/issues/12/comments',
    'GET /repos/acme/checkout/issues/12/comments',
    'PATCH /repos/acme/checkout/issues/comments/101',
  ])
  expect(others).toHaveLength(101)
  expect(others.at(-1)?.body).toMatch(/^<!-- flamegate prj_01 -->\n## Failed: 1 of 3\n/)
})

test('a comment that GitHub refuses changes nothing of the verdict', async () => {
  const api = await serveApi()
  const gitHub = await serveGitHub([], 403)
  expect(await runForTest(['check', 'run_01'], { ...api, env: gitHub.env })).toMatchObject({
    exitCode: 0,
    error: expect.stringContaining('needs the permission pull-requests: write'),
  })
})
