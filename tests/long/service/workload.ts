import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { operations, type AnswerOf, type Operation, type RawInputOf } from '@flamegate/contract'
import { endOfTask, persistently, type Ledger } from './ledger.ts'
import { CallFailure, type McpClient } from './mcp-client.ts'
import type { Tenant } from './tenants.ts'

/** One call that was made, or an upload to the object store. */
export interface Call {
  tool: string
  tenant: Tenant
  client: McpClient
  startedAtMs: number
  durationMs: number
  failure: CallFailure | undefined
}

interface Workload {
  tenant: Tenant
  client: McpClient
  /** Between two of its actions, on average. */
  intervalMs: number
  ledger: Ledger
  onCall(call: Call): void
  signal: AbortSignal
}

const resultsOf = (): string =>
  ['Parse', 'Route', 'Print']
    .map((name) => `Benchmark${name}-2 1000 ${400 + Math.floor(Math.random() * 50)} ns/op\n`.repeat(4))
    .join('')
const resultCount = 3
const profileText = 'main;parse;readToken 60\nmain;parse 30\nmain;print 10\n'.repeat(20)

type Made = (at: Workload) => Promise<void>

/** What clients do, and how often: of one hundred and two. */
const actions: readonly [share: number, action: Made][] = [
  [10, read(operations.getCurrentUser, () => ({}))],
  [6, read(operations.listRepositories, () => ({}))],
  [12, read(operations.listRuns, ({ projectId }) => ({ repository: projectId, limit: 20 }))],
  [10, read(operations.getRun, ({ runIds }) => ({ run_id: runIds[0] }))],
  [12, read(operations.compareRuns, ({ runIds }) => ({ base_run_id: runIds[0], head_run_id: runIds[1] }))],
  [6, read(operations.listBenchmarks, ({ projectId }) => ({ repository: projectId }))],
  [6, read(operations.search, () => ({ query: 'parse' }))],
  [6, read(operations.listProfiles, ({ projectId }) => ({ project_id: projectId }))],
  [10, read(operations.queryFlamegraph, ({ profileId }) => ({ profile_id: profileId }))],
  [4, read(operations.findTools, () => ({ query: 'where is the time going' }))],
  [12, submitResults],
  [4, uploadResults],
  [4, uploadProfile],
]
const shares = actions.reduce((sum, [share]) => sum + share, 0)

/** One action after the other, until it is over. What fails is told by `onCall`, and does not end it. */
export async function keepCalling(at: Workload): Promise<void> {
  while (!at.signal.aborted) {
    // As independent people do it.
    const waitMs = -Math.log(1 - Math.random()) * at.intervalMs
    await pause(Math.min(waitMs, at.intervalMs * 4), undefined, { signal: at.signal }).catch(() => undefined)
    if (at.signal.aborted) return
    await anyAction()(at).catch((error: unknown) => {
      if (!(error instanceof CallFailure)) throw error
    })
  }
}

function anyAction(): Made {
  let left = Math.random() * shares
  for (const [share, action] of actions) {
    left -= share
    if (left < 0) return action
  }
  return submitResults
}

function read<O extends Operation>(operation: O, input: (tenant: Tenant) => RawInputOf<O>): Made {
  return async (at) => {
    await persistently(() => call(at, operation, input(at.tenant)))
  }
}

async function submitResults(at: Workload): Promise<void> {
  const mark = newMark()
  const { run } = await write(at, mark, () =>
    call(at, operations.submitBenchmarkResults, { ...runOf(at, mark), results: resultsOf() }),
  )
  at.ledger.acknowledged.push({ kind: 'results', client: at.client, id: run.id, mark, resultCount })
}

async function uploadResults(at: Workload): Promise<void> {
  const mark = newMark()
  const results = Buffer.from(resultsOf())
  const announced = await write(at, mark, () =>
    call(at, operations.createRunUpload, {
      ...runOf(at, mark),
      file_name: 'bench.txt',
      size_bytes: results.length,
    }),
  )
  if (!(await put(at, announced.upload, results))) return
  const { run_id: id, task_id: taskId } = announced
  at.ledger.acknowledged.push({ kind: 'result file', client: at.client, id, mark, taskId, resultCount })
  await untilRead(at, taskId)
}

async function uploadProfile(at: Workload): Promise<void> {
  const mark = newMark()
  const profile = Buffer.from(profileText)
  const announced = await write(at, mark, () =>
    call(at, operations.createProfileUpload, {
      project_id: at.tenant.projectId,
      file_name: `${mark}.txt`,
      name: mark,
      type: 'cpu',
      size_bytes: profile.length,
    }),
  )
  if (announced.upload === null || !(await put(at, announced.upload, profile))) return
  const { profile_id: id, task_id: taskId } = announced
  at.ledger.acknowledged.push({ kind: 'profile', client: at.client, id, mark, taskId })
  await untilRead(at, taskId)
}

const newMark = () => randomBytes(20).toString('hex')
const runOf = ({ tenant }: Workload, mark: string) => ({
  repository: tenant.projectId,
  branch: 'load',
  commit_hash: mark,
})

/** What is not answered may have been done: it is not tried again, but noted. */
async function write<T>(at: Workload, mark: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof CallFailure && error.kind === 'failed') at.ledger.unknown.push(mark)
    throw error
  }
}

/** Looks after its job as clients do; what becomes of it is held against the ledger in the end. */
async function untilRead(at: Workload, taskId: string): Promise<void> {
  await endOfTask({ call: (operation, input) => call(at, operation, input) }, taskId, 60_000)
}

/** Sends a file to the object store, again when that fails. Whether it is there then. */
async function put(
  at: Workload,
  request: { url: string; method: string; headers: Record<string, string> },
  file: Buffer,
): Promise<boolean> {
  for (let tries = 0; tries < 10 && !at.signal.aborted; tries += 1) {
    const startedAtMs = performance.now()
    const { url, method, headers } = request
    const answer = await fetch(url, { method, headers, body: new Uint8Array(file) }).catch(
      (error: unknown) => new CallFailure('failed', `upload: ${String(error)}`, error),
    )
    // Sent twice, it is refused the second time: it is there.
    const isStored = !(answer instanceof CallFailure) && (answer.ok || answer.status === 412)
    const failure =
      answer instanceof CallFailure
        ? answer
        : isStored
          ? undefined
          : new CallFailure('failed', `upload: ${answer.status} ${await answer.text()}`)
    tell(at, 'PUT of an upload', startedAtMs, failure)
    if (isStored) return true
    await pause(1_000 * (tries + 1), undefined, { signal: at.signal }).catch(() => undefined)
  }
  return false
}

async function call<O extends Pick<Operation, 'id'>>(
  at: Workload,
  operation: O,
  input: RawInputOf<O>,
): Promise<AnswerOf<O>> {
  const startedAtMs = performance.now()
  try {
    const answer = await at.client.call(operation, input)
    tell(at, operation.id, startedAtMs, undefined)
    return answer
  } catch (error) {
    const failure = error instanceof CallFailure ? error : new CallFailure('failed', String(error), error)
    tell(at, operation.id, startedAtMs, failure)
    throw failure
  }
}

function tell(at: Workload, tool: string, startedAtMs: number, failure: CallFailure | undefined): void {
  const { tenant, client } = at
  at.onCall({ tool, tenant, client, startedAtMs, durationMs: performance.now() - startedAtMs, failure })
}
