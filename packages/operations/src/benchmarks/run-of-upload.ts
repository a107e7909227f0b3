import { newId, Problem, type InputOf, type operations } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import { enterUpload } from '../limits/upload-limits.ts'
import type { Run } from '../ports/index.ts'
import { getProjectOfRepository, getRun } from '../targets.ts'

type UploadInput = Omit<InputOf<typeof operations.submitBenchmarkResults>, 'results' | 'adapter'> &
  Partial<Pick<InputOf<typeof operations.createRunUpload>, 'measurement_id'>>
type NewRunInput = Omit<UploadInput, 'run_id' | 'repository'>

/**
 * The run that an upload is for: the one it names, or a new one, which is PENDING until its results are read.
 * The upload is counted before there is one.
 * @throws Problem `run_not_found`, `plan_limit_reached`, `conflict` for a run of another commit
 */
export async function runOfUpload(context: CallContext, input: UploadInput, sizeBytes: number): Promise<Run> {
  const project = await getProjectOfRepository(context, input.repository)
  await enterUpload(context, project.workspaceId, sizeBytes)
  if (input.run_id !== undefined) return existingRun(context, project.id, input.run_id, input.commit_hash)
  return newRun(context, project, input)
}

/** A new run, which is PENDING until its results are read; of a `ciRun` and commit that have one already, that one. */
export async function newRun(
  context: CallContext,
  project: { id: string; workspaceId: string },
  input: NewRunInput,
  ciRun?: string,
): Promise<Run> {
  const run = {
    id: newId('run'),
    workspaceId: project.workspaceId,
    projectId: project.id,
    branch: input.branch,
    commitHash: input.commit_hash.toLowerCase(),
    commitMessage: input.commit_message,
    pullRequest: input.pull_request ?? null,
    baseBranch: input.base_branch ?? null,
    baseCommitHash: input.base_commit_hash?.toLowerCase() ?? null,
    measurementId: input.measurement_id ?? null,
    event: input.event,
    status: 'PENDING',
    tags: input.tags,
    environment: input.environment,
    committedAt: input.committed_at === undefined ? null : new Date(input.committed_at),
  } as const
  const created = await context.deps.stores.runs.create(context.caller, run, ciRun)
  context.concerns(created.workspaceId, created.id)
  return created
}

async function existingRun(
  context: CallContext,
  projectId: string,
  runId: string,
  commitHash: string,
): Promise<Run> {
  const run = await getRun(context, runId)
  if (run.projectId !== projectId) throw new Problem('run_not_found', 'That run belongs to another project.')
  if (run.commitHash !== commitHash.toLowerCase()) {
    throw new Problem(
      'conflict',
      `Run ${run.id} is of commit ${run.commitHash}. Leave run_id out to make a new run.`,
      {
        errors: [{ field: 'run_id', message: 'A run of another commit.' }],
      },
    )
  }
  return run
}
