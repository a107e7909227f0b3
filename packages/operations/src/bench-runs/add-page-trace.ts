import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import type { PlannedFile } from '../ports/index.ts'
import { presignedOnWire } from '../wire.ts'
import { pathOf } from './names-in-plan.ts'
import { getShard } from './reaching.ts'
import { fileFullWords } from './result-quota.ts'
import { tellRun } from './tell-run.ts'

const beginningWhenFull = 'No more traces of its pages are kept'
const uploadSeconds = 600
const nameCharactersMax = 60

export const addPageTrace = implement(operations.addPageTrace)(async (input, context) => {
  const { caller, deps } = context
  const shard = await getShard(context, input.shard_id)
  const run = await deps.stores.benchRuns.find(caller, shard.benchResultId)
  if (run === undefined) throw new Problem('bench_shard_not_found', 'The run of this shard is gone.')
  context.isUneventful()
  const of = { project_id: shard.projectId, bench_result_id: shard.benchResultId, upload: null }
  if (run.endedAt !== null) return { ...of, outcome: 'gone' as const }
  const plan = await deps.stores.benchRuns.findPlan(caller, run.id)
  const action = plan?.actions[input.action]
  if (action === undefined) {
    const message = 'The plan of the shard has no such action.'
    throw new Problem('invalid_input', `action: ${message}`, { errors: [{ field: 'action', message }] })
  }
  const full = await fileFullWords(context, run.workspaceId)
  if (full !== undefined) {
    await tellRun(context, run.id, `${beginningWhenFull}: ${full}`, {
      at: run.createdAt,
      beginning: beginningWhenFull,
    })
    return { ...of, outcome: 'full' as const }
  }
  const [file] = await deps.stores.resultFiles.plan(caller, run, [
    traceFile(pathOf(action).at(-1) ?? '', shard.slot, input),
  ])
  if (file === undefined) throw new TypeError('A trace was announced, and is not there')
  const { id, name, status, storageKey, contentType, sizeBytes } = file
  if (status === 'READY') return { ...of, outcome: 'stored' as const }
  const sent = await deps.storage.find(storageKey)
  if (sent === undefined) {
    const expiring = { sizeBytes, contentType, expiresInS: uploadSeconds }
    const upload = await deps.storage.presignUpload(storageKey, expiring)
    return { ...of, outcome: 'wanted' as const, upload: presignedOnWire(upload, name) }
  }
  await deps.stores.files.markReady(caller, id, { sizeBytes: sent.sizeBytes, sha256: sent.sha256 ?? null })
  return { ...of, outcome: 'stored' as const }
})

/** Named after what it is of: `trace-0-3-failed-add-to-cart.zip`. */
function traceFile(
  action: string,
  slot: number,
  { sequence, has_failed, size_bytes }: { sequence: number; has_failed: boolean; size_bytes: number },
): PlannedFile {
  const words = action
    .slice(0, nameCharactersMax)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  return {
    name: `trace-${slot}-${sequence}-${has_failed ? 'failed' : 'passed'}-${words}.zip`,
    purpose: 'page_trace',
    contentType: 'application/zip',
    sizeBytes: size_bytes,
  }
}
