import { randomUUID } from 'node:crypto'
import type { CommandContext } from '../commands/command.ts'
import type { BaseCommit } from '../harness/base-checkout.ts'
import type { RunOrigin } from '../origin/run-origin.ts'
import { uploadAll, type FileToUpload } from './upload-all.ts'
import { needed } from './upload-options.ts'

export interface MeasuredBase {
  files: FileToUpload[]
  commit: BaseCommit
}

/** A branch may have a name as long as the wire takes. */
const branchMax = 245

/**
 * Uploads base and head of one measurement as two runs, base first, because the one that was recorded before is the
 * baseline of the other. The run of base is on no branch of git (`~` is in no branch's name): it was measured now, on this
 * machine, and would be the newest of a history that it is not part of.
 *
 * @returns what there is to judge, if there were results
 */
export async function uploadPair(
  context: CommandContext,
  { base, head }: { base: MeasuredBase; head: readonly FileToUpload[] },
  how: { origin: RunOrigin; command: string },
): Promise<{ runId: string; baseRunId: string } | undefined> {
  const branch = needed('branch', context.line.text('branch') ?? how.origin.branch)
  const measurementId = randomUUID()
  const { commitHash, commitMessage, committedAt } = base.commit
  const ofBase = await uploadAll(context, base.files, {
    ...how,
    fields: {
      branch: `${branch.slice(0, branchMax)}~base`,
      commit_hash: commitHash,
      commit_message: commitMessage,
      committed_at: committedAt,
      pull_request: undefined,
      base_branch: undefined,
      base_commit_hash: undefined,
      measurement_id: measurementId,
    },
  })
  const ofHead = await uploadAll(context, head, {
    ...how,
    fields: { base_commit_hash: commitHash, measurement_id: measurementId },
  })
  return ofBase && ofHead && { runId: ofHead.run_id, baseRunId: ofBase.run_id }
}
