import { operations, Problem } from '@flamegate/contract'
import { countRequestRows, RequestLogError } from '@flamegate/loadtest/request-log'
import { implement } from '../implement.ts'
import { pieceOfLog } from './pieces-of-log.ts'
import { getShard } from './reaching.ts'
import { fileFullWords } from './result-quota.ts'
import { tellRun } from './tell-run.ts'

const beginningWhenFull = 'The files of its requests end here'

export const addRequestLog = implement(operations.addRequestLog)(async (input, context) => {
  const { caller, deps } = context
  const shard = await getShard(context, input.shard_id)
  const run = await deps.stores.benchRuns.find(caller, shard.benchResultId)
  if (run === undefined) throw new Problem('bench_shard_not_found', 'The run of this shard is gone.')
  context.isUneventful()
  const of = { project_id: shard.projectId, bench_result_id: shard.benchResultId }
  if (run.endedAt !== null) return { ...of, outcome: 'gone' as const }
  const full = await fileFullWords(context, run.workspaceId)
  if (full !== undefined) {
    await tellRun(context, run.id, `${beginningWhenFull}: ${full} The run goes on without them.`, {
      at: run.createdAt,
      beginning: beginningWhenFull,
    })
    return { ...of, outcome: 'full' as const }
  }
  const bytes = Buffer.from(input.content, 'base64')
  mustBeLog(bytes)
  const [piece] = await deps.stores.resultFiles.plan(caller, run, [
    pieceOfLog(shard.slot, input.sequence, bytes.length),
  ])
  if (piece === undefined) throw new TypeError('A piece was announced, and is not there')
  if (piece.status !== 'READY') {
    const { contentType, storageKey } = piece
    const { sizeBytes, sha256 = null } = await deps.storage.write(storageKey, bytes, { contentType })
    await deps.stores.files.markReady(caller, piece.id, { sizeBytes, sha256 })
    if (input.rows_lost > 0)
      await tellRun(
        context,
        run.id,
        `${input.rows_lost} requests of the agent in slot ${shard.slot} are not in the files of the run: it could not send them in time, and had no more room.`,
      )
  }
  return { ...of, outcome: 'stored' as const }
})

/** @throws Problem `invalid_input` */
function mustBeLog(piece: Uint8Array): void {
  try {
    countRequestRows(piece)
  } catch (error) {
    if (!(error instanceof RequestLogError)) throw error
    throw new Problem('invalid_input', `content: ${error.message}`, {
      errors: [{ field: 'content', message: error.message }],
    })
  }
}
