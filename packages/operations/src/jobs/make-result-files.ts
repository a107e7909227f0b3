import type { Caller } from '@flamegate/contract'
import { exportHar, parseExchange, type Exchange } from '@flamegate/loadtest'
import { pathOf, profileName } from '../bench-runs/names-in-plan.ts'
import { slotOfPiece } from '../bench-runs/pieces-of-log.ts'
import { formatOfFile } from '../bench-runs/plan-result-files.ts'
import type { BenchResult, FileRecord, RequestLogFormat } from '../ports/index.ts'
import { workerCaller, type JobDeps, type JobHandler } from './job.ts'

/** Purposes of files that are made elsewhere. */
const sentByAgents: ReadonlySet<string> = new Set(['request_log_piece', 'page_trace'])
const pieceBytesMax = 1_000_000
/** Of the exchanges in a HAR, as JSON. */
const harBytesMax = 50_000_000

/** Makes the files of a run that has ended, each once; then the pieces go of which they were made. */
export const makeResultFiles: JobHandler<'make_result_files'> = async ({ workspaceId, taskId }, deps) => {
  const caller = workerCaller(workspaceId)
  const { stores, storage } = deps
  const run = await stores.benchRuns.find(caller, taskId)
  if (run === undefined) return
  const files = await stores.resultFiles.list(caller, run.id)
  const pieces = files.filter(({ purpose }) => purpose === 'request_log_piece')
  // oxlint-disable no-await-in-loop -- one after the other, for each may be large
  for (const file of files) {
    if (file.status === 'READY' || sentByAgents.has(file.purpose)) continue
    const format = formatOfFile(file)
    const made =
      format === undefined
        ? await keepSmall(file, await contentOf(file, run, caller, deps), deps)
        : await keepRequests(file, await requestFile(format, run, caller, deps), pieces, deps)
    await stores.files.markReady(caller, file.id, made)
  }
  // Of a trace that was announced, and of which the bytes never came, nobody hears any more.
  const left = files.filter(({ purpose, status }) => purpose === 'page_trace' && status === 'PENDING')
  for (const { id, storageKey } of [...pieces, ...left]) {
    await storage.remove(storageKey)
    await stores.files.remove(caller, id)
  }
  // oxlint-enable no-await-in-loop
}

interface Made {
  sizeBytes: number
  sha256: string | null
}

async function keepSmall(
  { storageKey, contentType }: FileRecord,
  content: Uint8Array,
  { storage }: JobDeps,
): Promise<Made> {
  const { sizeBytes, sha256 = null } = await storage.write(storageKey, content, { contentType })
  return { sizeBytes, sha256 }
}

/** The log of an agent, or the exchanges that failed. */
async function contentOf(
  { name, purpose }: FileRecord,
  run: BenchResult,
  caller: Caller,
  deps: JobDeps,
): Promise<Uint8Array> {
  if (purpose === 'failed_exchanges') return collect(exportHar(failedExchanges(run, caller, deps)))
  const logs = await deps.stores.resultFiles.listLogs(caller, run.id, Infinity)
  const lines = logs.find(({ slot }) => name === `agent-${slot}.log`)?.lines ?? []
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
}

async function* failedExchanges(
  run: BenchResult,
  caller: Caller,
  { stores: { benchRuns } }: JobDeps,
): AsyncGenerator<Exchange> {
  let bytes = 0
  for (const { id } of await benchRuns.listSampleIds(caller, run.id)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, for each may be large
    const sample = await benchRuns.findSample(caller, run.id, id)
    bytes += JSON.stringify(sample?.exchange ?? null).length
    if (bytes > harBytesMax) return
    const exchange = parseExchange(sample?.exchange)
    if (exchange !== undefined) yield exchange
  }
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const collected: Uint8Array[] = []
  for await (const piece of pieces) collected.push(piece)
  return Buffer.concat(collected)
}

async function requestFile(
  format: RequestLogFormat,
  run: BenchResult,
  caller: Caller,
  { stores, requestLogFiles }: JobDeps,
) {
  const plan = await stores.benchRuns.findPlan(caller, run.id)
  const shards = await stores.benchRuns.listShards(caller, run.id)
  const generators = await stores.loadGenerators.list(caller, run.workspaceId)
  const names = new Map(generators.map(({ id, name }) => [id, name]))
  return requestLogFiles(format, {
    startedAtMs: run.startedAt?.getTime() ?? run.createdAt.getTime(),
    actions: (plan?.actions ?? []).map((action) => ({
      path: pathOf(action),
      profile: profileName(plan, action.profile),
    })),
    agents: new Map(
      shards.map(({ slot, loadGeneratorId }) => [slot, names.get(loadGeneratorId ?? '') ?? `agent ${slot}`]),
    ),
  })
}

async function keepRequests(
  { storageKey, contentType }: FileRecord,
  requests: Awaited<ReturnType<typeof requestFile>>,
  pieces: readonly FileRecord[],
  { storage }: JobDeps,
): Promise<Made> {
  try {
    // oxlint-disable no-await-in-loop -- one after the other, so that few are in memory
    for (const piece of pieces) {
      // One that was announced, and of which the bytes never came.
      if (piece.status !== 'READY') continue
      const bytes = await storage.read(piece.storageKey, { maxBytes: pieceBytesMax })
      await requests.add(bytes, slotOfPiece(piece))
    }
    // oxlint-enable no-await-in-loop
    const { sizeBytes, md5, sha256, open } = await requests.end()
    // What an earlier attempt left there would stay.
    await storage.remove(storageKey)
    await storage.receive(storageKey, open(), { sizeBytes, md5, contentType })
    return { sizeBytes, sha256 }
  } finally {
    await requests.remove()
  }
}
