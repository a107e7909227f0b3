import { gzipSync } from 'node:zlib'
import { operations, type Operation, type Problem, type Scope } from '@flamegate/contract'
import { describe, expect, test } from 'vitest'
import { createExecute } from '../execute.ts'
import type { Deps } from '../implement.ts'
import { implementations } from '../implementations.ts'
import type { FileRecord, ProjectWithCounts, Run, SearchHit, Stores, Task } from '../ports/index.ts'

const at = new Date('2026-11-20T10:00:00Z')
const file: FileRecord = {
  id: 'fil_1',
  workspaceId: 'ws_1',
  projectId: 'prj_1',
  runId: 'run_1',
  benchReportId: null,
  benchResultId: null,
  purpose: 'import_results',
  name: 'bench.txt',
  contentType: 'application/octet-stream',
  sizeBytes: 5,
  sha256: null,
  storageKey: 'ws_1/fil_1',
  status: 'READY',
  createdBy: 'usr_1',
  createdAt: at,
  expiresAt: null,
}
const project: ProjectWithCounts = {
  id: 'prj_1',
  workspaceId: 'ws_1',
  slug: 'api',
  name: 'API',
  description: '',
  tags: [],
  repository: null,
  keylessUploadsBy: null,
  alertsOffSince: null,
  alertsOffBy: null,
  originRules: [],
  forge: null,
  forgeUrl: null,
  defaultBranch: null,
  baselineRunId: null,
  version: 1,
  createdAt: at,
  updatedAt: at,
  runCount: 0,
  benchmarkCount: 0,
  profileCount: 0,
  alertsOffByEmail: null,
}
const run: Run = {
  id: 'run_1',
  workspaceId: 'ws_1',
  projectId: 'prj_1',
  branch: 'main',
  commitHash: 'abcdef1234567',
  commitMessage: '',
  pullRequest: null,
  baseBranch: null,
  baseCommitHash: null,
  measurementId: null,
  event: 'push',
  status: 'COMPLETED',
  adapter: null,
  tags: [],
  resultCount: 0,
  warnings: [],
  environment: {},
  committedAt: null,
  createdAt: at,
  unjudgedSince: null,
}
const task: Task = {
  id: 'tsk_1',
  workspaceId: 'ws_1',
  projectId: 'prj_1',
  kind: 'run_scenario',
  status: 'RUNNING',
  progressPercent: 0,
  message: '',
  result: { bench_result_id: 'bnr_1' },
  problem: null,
  createdBy: 'usr_1',
  createdAt: at,
  updatedAt: at,
  finishedAt: null,
}
const resultOf = (number: number) => ({
  benchmarkId: `ben_${number}`,
  uri: `bench/a-rather-long-folder/file-${number}.bench.js::group::case ${number}`,
  name: `case ${number}`,
  instrument: 'walltime' as const,
  metric: 'time',
  betterWhen: 'lower' as const,
  value: number,
  unit: 'ns',
  stats: {},
  metrics: [],
  state: 'active' as const,
  isCritical: false,
  thresholdPercent: null,
  noisePercent: null,
  noiseRuns: 0,
})
const hits: SearchHit[] = [3, 2, 1].map((number) => ({
  id: `run_${number}`,
  kind: 'run',
  projectId: 'prj_1',
  projectName: 'API',
  title: `main ${number}`,
  snippet: '',
  score: 6,
}))

/** An object with these members; any other is a bug of the test. */
function onlyWith<T extends object>(members: Partial<T>): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stand-in for what the test does not use
  return members as T
}

interface Given {
  content?: Uint8Array | undefined
  resultCount?: number
  scopes?: readonly Scope[]
  /** Hears what is called off. */
  onStop?: (id: string) => void
}

/** Calls operations as the owner of ws_1, who has one of everything above. */
function caller({ content, resultCount = 0, scopes = ['read'], onStop }: Given = {}) {
  const results = Array.from({ length: resultCount }, (_, index) => resultOf(index))
  const stores = onlyWith<Stores>({
    memberships: { rolesOf: async () => new Map([['ws_1', 'owner' as const]]) },
    audit: { isFull: () => false, record: async () => undefined, search: async () => [] },
    files: onlyWith<Stores['files']>({
      find: async (_caller, id) => (id === file.id ? file : undefined),
      list: async (_caller, owner) => [{ ...file, name: Object.keys(owner).join() }],
    }),
    projects: onlyWith<Stores['projects']>({
      find: async (_caller, id) => (id === project.id ? project : undefined),
    }),
    runs: onlyWith<Stores['runs']>({
      find: async (_caller, id) => (id === run.id ? run : undefined),
      findLatest: async () => undefined,
      listResults: async () => results,
      readRounds: async () => new Map(),
    }),
    designs: onlyWith<Stores['designs']>({ find: async () => undefined }),
    profiles: onlyWith<Stores['profiles']>({ find: async () => undefined, listProfiled: async () => [] }),
    tasks: onlyWith<Stores['tasks']>({
      find: async (_caller, id) => (id === task.id ? task : undefined),
      requestCancel: async (_caller, id) => {
        onStop?.(id)
        return task
      },
    }),
    benchRuns: onlyWith<Stores['benchRuns']>({
      change: async (_caller, id) => {
        onStop?.(id)
        return undefined
      },
    }),
    search: {
      search: async (_caller, _query, { limit, after }) => {
        const start = after === undefined ? 0 : hits.findIndex((hit) => hit.id === after.id) + 1
        return hits.slice(start, start + limit + 1)
      },
    },
  })
  const deps = onlyWith<Deps>({
    stores,
    storage: onlyWith<Deps['storage']>({
      open: async () => (content === undefined ? undefined : inOnePiece(content)),
    }),
    guides: [
      {
        name: 'agents',
        title: 'Agents',
        description: 'All.',
        mediaType: 'text/markdown',
        text: '# Agents',
        publicUrl: 'https://flamegate.example/mcp/public/AGENTS.md',
      },
    ],
    publicUrl: 'https://flamegate.example',
    auditKey: 'key',
  })
  const execute = createExecute(implementations, deps)
  const principal = {
    userId: 'usr_1',
    via: 'session',
    clientId: 'web',
    clientName: 'Web',
    scopes,
  } as const
  return (operation: Operation, input: unknown) =>
    execute(operation, input, { principal, requestId: 'req', ip: '127.0.0.1' })
}

async function* inOnePiece(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'an answer',
    (problem: Problem) => problem.code,
  )

describe('search', () => {
  test('answers ids, titles and absolute links, page by page', async () => {
    const call = caller()
    const first = await call(operations.search, { query: 'main', limit: 2 })
    expect(first).toMatchObject({
      results: [
        { id: 'run_3', title: 'main 3', url: 'https://flamegate.example/runs/run_3' },
        { id: 'run_2' },
      ],
    })
    const cursor = first['next_cursor']
    expect(await call(operations.search, { query: 'main', limit: 2, cursor })).toMatchObject({
      results: [{ id: 'run_1' }],
      next_cursor: null,
    })
  })

  test('refuses the cursor of another query', async () => {
    const call = caller()
    const { next_cursor: cursor } = await call(operations.search, { query: 'main', limit: 2 })
    expect(await codeOf(call(operations.search, { query: 'other', cursor }))).toBe('cursor_invalid')
  })

  test('refuses a project that the caller cannot see', async () => {
    const answer = caller()(operations.search, { query: 'main', project_id: 'prj_2' })
    expect(await codeOf(answer)).toBe('project_not_found')
  })
})

describe('fetch', () => {
  test('answers the text that the operation of such things writes', async () => {
    expect(await caller({ resultCount: 1 })(operations.fetch, { id: 'run_1' })).toMatchObject({
      id: 'run_1',
      title: 'main abcdef123',
      text: expect.stringMatching(/^# Run run_1\n[^]*case 0/),
      url: 'https://flamegate.example/runs/run_1',
      metadata: { kind: 'run', project_id: 'prj_1', truncated: false },
    })
  })

  test('cuts a long text at a line, and says how to go on', async () => {
    const answer = await caller({ resultCount: 300 })(operations.fetch, { id: 'run_1' })
    const { text, metadata } = operations.fetch.output.parse(answer)
    expect(metadata.truncated).toBe(true)
    expect(text.length).toBeLessThan(24_300)
    expect(text).toMatch(/\|\n\n_truncated: yes\. get_run with run_id run_1 .*_$/)
  })

  test.each([
    ['run_2', 'run_not_found'],
    ['prf_2', 'profile_not_found'],
    ['vu_2', 'virtual_user_not_found'],
    ['fil_1', 'document_not_found'],
    ['runs', 'document_not_found'],
    ['constructor', 'document_not_found'],
  ])('%s is %s', async (id, code) => {
    expect(await codeOf(caller()(operations.fetch, { id }))).toBe(code)
  })
})

describe('list_files', () => {
  test.each([
    ['prj_1', 'projectId', '/projects/prj_1'],
    ['run_1', 'runId', '/runs/run_1'],
  ])('%s has files, with the page of the owner', async (owner, filter, page) => {
    expect(await caller()(operations.listFiles, { owner })).toMatchObject({
      files: [{ id: 'fil_1', kind: 'results', name: filter }],
      url: `https://flamegate.example${page}`,
    })
  })

  test.each([
    ['prj_2', 'project_not_found'],
    ['run_2', 'run_not_found'],
    ['prf_2', 'profile_not_found'],
    ['usr_1', 'owner_not_found'],
  ])('%s is %s', async (owner, code) => {
    expect(await codeOf(caller()(operations.listFiles, { owner }))).toBe(code)
  })
})

describe('read_file_lines', () => {
  test.each([
    ['text', Buffer.from('one\ntwo\n')],
    ['gzip of it', gzipSync('one\ntwo\n')],
  ])('reads %s', async (_kind, content) => {
    const answer = await caller({ content })(operations.readFileLines, { file_id: 'fil_1', contains: 'TW' })
    expect(answer).toMatchObject({
      name: 'bench.txt',
      lines: [{ number: 2, text: 'two', matches: true, cut: false }],
      next_line: null,
      line_count: 2,
    })
  })

  test.each([
    ['a binary file', Buffer.from([0, 1, 2]), 'not_text'],
    ['broken gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0]), 'not_text'],
    ['a file that never came', undefined, 'upload_missing'],
  ])('refuses %s', async (_kind, content, code) => {
    expect(await codeOf(caller({ content })(operations.readFileLines, { file_id: 'fil_1' }))).toBe(code)
  })

  test('an answer stays small, whatever the file', async () => {
    const content = gzipSync(`${'x'.repeat(5000)}\n`.repeat(2000))
    const answer = operations.readFileLines.output.parse(
      await caller({ content })(operations.readFileLines, { file_id: 'fil_1', limit: 1000 }),
    )
    expect(JSON.stringify(answer).length).toBeLessThan(30_000)
    expect(answer.lines[0]).toMatchObject({ cut: true })
    expect(answer.next_line).toBe((answer.lines.at(-1)?.number ?? 0) + 1)
  })
})

test('cancel_task stops a load test only for whom stop_bench_result would', async () => {
  const stopped: string[] = []
  const cancel = (...scopes: Scope[]) =>
    codeOf(caller({ scopes, onStop: (id) => stopped.push(id) })(operations.cancelTask, { task_id: task.id }))
  expect(await cancel('upload')).toBe('insufficient_scope')
  expect(stopped).toEqual([])
  expect([await cancel('upload', 'run'), await cancel('write')]).toEqual(['an answer', 'an answer'])
  expect(stopped).toEqual(['tsk_1', 'bnr_1', 'tsk_1', 'bnr_1'])
})

test('read_guide names the guides there are when asked for another', async () => {
  expect(await caller()(operations.readGuide, {})).toMatchObject({ name: 'agents', others: ['agents'] })
  await expect(caller()(operations.readGuide, { name: 'nothing' })).rejects.toThrow(/There are: agents\./)
})
