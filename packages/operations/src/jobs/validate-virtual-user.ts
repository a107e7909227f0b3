import { createHash } from 'node:crypto'
import { newId, type Caller } from '@flamegate/contract'
import {
  judgeReplay,
  parseDocument,
  recordedAnswer,
  RecordingWriter,
  replayedAnswer,
  walkActions,
  type ActionResult,
  type JudgedAnswer,
  type RecordingIndex,
  type VirtualUser,
} from '@flamegate/loadtest'
import { openSecrets } from '../design/secrets.ts'
import { hasEnded } from '../ports/index.ts'
import type { KeptResult, RunPlan, Task, ValidationCounts, WholeValidation } from '../ports/index.ts'
import { openProjectFile } from '../project-files/open-project-file.ts'
import { reachableHosts } from '../targets/reachable-hosts.ts'
import { giveUpValidation } from '../validation/give-up-validation.ts'
import { JudgedInside } from '../validation/judged-inside.ts'
import { findRecording } from '../validation/reaching.ts'
import { readIndex } from '../validation/recordings.ts'
import { workerCaller, type JobDeps, type JobHandler } from './job.ts'
import { tellNowAndThen } from './tell-now-and-then.ts'

/** The most that is kept of the exchanges of one validation, compressed; what comes after is judged, and not kept. */
const exchangesBytesMax = 64 * 1024 * 1024
const exchangesMax = 50_000
/** The most that is kept of actions, as JSON, for it is one row that every answer is made of; what comes after is counted. */
const resultsMax = 20_000
const resultsCharactersMax = 20_000_000
/** The most that is kept of pictures and traces. */
const picturesBytesMax = 256 * 1024 * 1024

/** Actions that hold others say only whether one of these failed. */
const holders = new Set(['container', 'if', 'while', 'loop', 'for_each', 'once', 'random'])

/** Runs a virtual user once or a few times, and keeps what happened. */
export const validateVirtualUser: JobHandler<'validate_virtual_user'> = async (payload, deps) => {
  const caller = workerCaller(payload.workspaceId)
  const task = await deps.stores.tasks.find(caller, payload.taskId)
  const validation = await deps.stores.validations.find(caller, String(task?.result?.['validation_id']))
  if (task === undefined) return
  if (validation === undefined) {
    const detail = 'It was never begun because of a defect on our side. Validate again.'
    await deps.stores.tasks.finish(caller, task.id, { problem: { code: 'internal', detail } })
  } else if (hasEnded(task))
    await giveUpValidation(deps.stores, caller, task, { state: 'CANCELLED', message: 'It was cancelled.' })
  else if (validation.finishedAt === null) await run(caller, task, validation, deps)
  // Somebody else did it, and did not come to tell so.
  else await finishTask(caller, task, validation, deps)
  if (validation !== undefined) await removeLooseFiles(caller, validation.id, deps)
}

async function finishTask(
  caller: Caller,
  task: Task,
  { state, passed, failed, skipped }: Pick<WholeValidation, 'state' | keyof ValidationCounts>,
  { stores }: JobDeps,
): Promise<void> {
  const isCancelled = state === 'CANCELLED'
  const result = { ...task.result, state, passed, failed, skipped }
  await stores.tasks.finish(caller, task.id, isCancelled ? { isCancelled } : { result })
}

/** Removes what attempts kept of which the validation, now that it has ended, does not tell. */
async function removeLooseFiles(caller: Caller, id: string, { stores, storage }: JobDeps): Promise<void> {
  const ended = await stores.validations.find(caller, id)
  if (ended === undefined || ended.finishedAt === null) return
  const told = new Set([
    ended.fileId,
    ...ended.results.flatMap(({ screenshotFileId, traceFileId }) => [screenshotFileId, traceFileId]),
  ])
  const loose = (await stores.validations.listFiles(caller, id)).filter((file) => !told.has(file.id))
  if (loose.length === 0) return
  // oxlint-disable-next-line no-await-in-loop -- one after the other, and first the bytes
  for (const { storageKey } of loose) await storage.remove(storageKey)
  await stores.validations.removeFiles(
    caller,
    id,
    loose.map((file) => file.id),
  )
}

async function run(caller: Caller, task: Task, validation: WholeValidation, deps: JobDeps): Promise<void> {
  const { stores } = deps
  const stop = new AbortController()
  const plan = await planOf(caller, validation, stop.signal, deps)
  const kept = new Keeper(
    caller,
    validation,
    deps,
    await recordedAnswers(caller, plan.document, validation.projectId, deps),
  )
  const tell = async () => {
    const message = `Actions done: ${kept.done}`
    if (!(await stores.tasks.progress(caller, task.id, { percent: 50, message }))) stop.abort()
    const { counts, results } = kept
    await stores.validations.progress(caller, validation.id, { ...counts, message, results })
  }
  await tell()
  const over = new AbortController()
  const telling = tellNowAndThen(tell, over.signal)
  let ended: string | null
  try {
    const outcome = await deps.runner.run(plan, (result) => kept.keep(result))
    ended = outcome.ended
  } finally {
    over.abort()
    await telling
  }
  const { counts } = kept
  const isCancelled = stop.signal.aborted
  const state = isCancelled ? 'CANCELLED' : counts.failed > 0 ? 'FAILED' : ended === null ? 'PASSED' : 'ERROR'
  const words = isCancelled ? 'It was cancelled.' : (ended ?? outcomeWords(counts))
  const message = [words, ...kept.notes()].join(' ')
  await stores.validations.finish(caller, validation.id, {
    ...counts,
    state,
    message,
    results: kept.results,
    ...(await kept.store()),
  })
  await finishTask(caller, task, { state, ...counts }, deps)
}

function outcomeWords({ passed, failed, skipped }: ValidationCounts): string {
  const rest = skipped > 0 ? `, ${skipped} skipped` : ''
  return failed === 0
    ? `${passed === 1 ? 'The one action' : `All ${passed} actions`} passed${rest}.`
    : `${failed} of ${passed + failed} actions failed${rest}.`
}

async function planOf(
  caller: Caller,
  { virtualUserId, version, projectId, iterations, id }: WholeValidation,
  signal: AbortSignal,
  deps: JobDeps,
): Promise<RunPlan> {
  const { designs } = deps.stores
  const found = await designs.findVersion(caller, virtualUserId, version)
  if (found === undefined) throw new TypeError(`There is no version ${version} of ${virtualUserId}`)
  const servers = await designs.listDocuments(caller, projectId, 'http_server')
  const variables = await designs.listDocuments(caller, projectId, 'variable')
  return {
    document: parseDocument('virtual_user', found.document),
    servers: new Map(servers.map((server) => [server.id, parseDocument('http_server', server.document)])),
    variables: variables.map(({ document }) => parseDocument('variable', document)),
    secrets: await openSecrets({ caller, deps }, projectId),
    openFile: openProjectFile({ caller, deps }, projectId),
    gate: deps.targets.gate(await reachableHosts({ caller, deps }, projectId)),
    iterations,
    // The same for the same validation, should its job come twice.
    seed: createHash('sha256').update(id).digest().readUInt32LE(),
    signal,
  }
}

/** What was recorded, by the ids of the actions. */
async function recordedAnswers(
  caller: Caller,
  document: VirtualUser,
  projectId: string,
  deps: JobDeps,
): Promise<Map<string, JudgedAnswer>> {
  const answers = new Map<string, JudgedAnswer>()
  const recording = await findRecording({ caller, deps }, document, projectId)
  if (recording === undefined) return answers
  const { exchanges } = readIndex(recording.index)
  for (const { action } of walkActions(document)) {
    if (action.type !== 'http_request') continue
    const places = [action.recorded ?? [], action.redirects.recorded].flat()
    const chain = places.flatMap((place) => exchanges[place] ?? [])
    if (chain.length > 0) answers.set(action.id, recordedAnswer(chain))
  }
  return answers
}

/** What happened, judged by what was recorded, and its exchanges as they are kept. */
class Keeper {
  readonly results: KeptResult[] = []
  readonly counts: ValidationCounts = { passed: 0, failed: 0, skipped: 0 }
  /** Actions that ended, kept or not. */
  done = 0
  #charactersLeft = resultsCharactersMax
  #picturesBytesLeft = picturesBytesMax
  readonly #pieces: Uint8Array[] = []
  #bytes = 0
  readonly #writer = new RecordingWriter((bytes) => {
    this.#pieces.push(bytes)
    this.#bytes += bytes.length
  })
  readonly #caller: Caller
  readonly #validation: WholeValidation
  readonly #deps: JobDeps
  readonly #recorded: ReadonlyMap<string, JudgedAnswer>
  readonly #inside = new JudgedInside()

  constructor(
    caller: Caller,
    validation: WholeValidation,
    deps: JobDeps,
    recorded: ReadonlyMap<string, JudgedAnswer>,
  ) {
    this.#caller = caller
    this.#validation = validation
    this.#deps = deps
    this.#recorded = recorded
  }

  async keep(result: ActionResult): Promise<void> {
    this.done++
    const isHolder = holders.has(result.type)
    const judged = { ...result, ...(isHolder ? this.#inside.outcomeOf(result) : this.#judged(result)) }
    if (!isHolder) {
      this.counts[judged.outcome]++
      this.#inside.count(result, judged.outcome)
    }
    if (this.results.length >= resultsMax || this.#charactersLeft <= 0) return
    const { screenshot, trace, exchanges, ...rest } = judged
    const { actionId } = rest
    const kept: KeptResult = {
      ...rest,
      path: [...rest.path],
      assertions: [...rest.assertions],
      extractors: [...rest.extractors],
      variables: { ...rest.variables },
      messages: [...rest.messages],
      recordedStatus: this.#recorded.get(actionId)?.status ?? null,
      exchanges: await this.#keepExchanges(exchanges),
      screenshotFileId: await this.#picture(`${actionId}.png`, 'image/png', screenshot),
      traceFileId: await this.#picture(`${actionId}-trace.zip`, 'application/zip', trace),
    }
    this.#charactersLeft -= JSON.stringify(kept).length
    this.results.push(kept)
  }

  /** What somebody has to know who looks for something that is not there. */
  notes(): string[] {
    const left = this.done - this.results.length
    return left === 0 ? [] : [`${left} more actions were done than are kept.`]
  }

  async #keepExchanges(exchanges: ActionResult['exchanges']): Promise<KeptResult['exchanges']> {
    const kept: KeptResult['exchanges'] = []
    for (const { role, exchange } of exchanges) {
      if (this.#bytes > exchangesBytesMax || this.#writer.index.exchanges.length >= exchangesMax) break
      // oxlint-disable-next-line no-await-in-loop -- one after the other into one file
      const place = await this.#writer.keep(exchange)
      kept.push({ role, place, startedAt: exchange.startedAt, timings: exchange.timings })
    }
    return kept
  }

  async #picture(name: string, contentType: string, bytes: Uint8Array | null): Promise<string | null> {
    if (bytes === null || bytes.length > this.#picturesBytesLeft) return null
    this.#picturesBytesLeft -= bytes.length
    return this.#file(name, contentType, bytes)
  }

  /** What is no error may be another answer than was recorded: the login page instead of what was wanted. */
  #judged(result: ActionResult): Pick<ActionResult, 'outcome' | 'failure'> {
    const { actionId, assertions, outcome, failure, status, exchanges } = result
    const recorded = this.#recorded.get(actionId)
    if (result.type !== 'http_request' || outcome !== 'passed' || recorded === undefined)
      return { outcome, failure }
    const replayed = replayedAnswer(status, exchanges)
    const { verdict, words } = judgeReplay(recorded, replayed, assertions.length === 0 ? 'none' : 'passed')
    return verdict === 'ok' ? { outcome, failure } : { outcome: 'failed', failure: words }
  }

  async store(): Promise<{ fileId: string | null; index: RecordingIndex | null }> {
    if (this.#writer.index.exchanges.length === 0) return { fileId: null, index: null }
    const fileId = await this.#file('exchanges.ndjson.gz', 'application/gzip', Buffer.concat(this.#pieces))
    return { fileId, index: this.#writer.index }
  }

  async #file(name: string, contentType: string, bytes: Uint8Array): Promise<string> {
    const { stores, storage } = this.#deps
    const { workspaceId, projectId, id } = this.#validation
    const fileId = newId('file')
    const storageKey = `${workspaceId}/${fileId}`
    await stores.files.create(this.#caller, {
      id: fileId,
      workspaceId,
      projectId,
      runId: null,
      purpose: 'keep_validation',
      name: `${id}/${name}`,
      contentType,
      sizeBytes: bytes.length,
      storageKey,
      expiresAt: null,
    })
    await storage.write(storageKey, bytes, { contentType })
    await stores.files.markReady(this.#caller, fileId, { sizeBytes: bytes.length, sha256: null })
    return fileId
  }
}
