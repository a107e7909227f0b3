import { newId, type InputOf, type operations } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { Run } from '../ports/index.ts'
import { getProjectOfRepository } from '../targets.ts'

type NewRunInput = Omit<InputOf<typeof operations.submitBenchmarkResults>, 'results' | 'adapter'>

/** Creates the run that an upload describes; it is PENDING until its results are read. */
export async function createRun(context: CallContext, input: NewRunInput): Promise<Run> {
  const project = await getProjectOfRepository(context, input.repository)
  const run = await context.deps.stores.runs.create(context.caller, {
    id: newId('run'),
    workspaceId: project.workspaceId,
    projectId: project.id,
    branch: input.branch,
    commitHash: input.commit_hash.toLowerCase(),
    commitMessage: input.commit_message,
    pullRequest: input.pull_request ?? null,
    event: input.event,
    status: 'PENDING',
    tags: input.tags,
    environment: input.environment,
    committedAt: input.committed_at === undefined ? null : new Date(input.committed_at),
  })
  context.concerns(run.workspaceId, run.id)
  return run
}
