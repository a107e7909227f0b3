import { operations, Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { Run } from '../ports/index.ts'
import { getRun } from '../targets.ts'

// Until a project names its default branch, the two that forges create.
const defaultBranches = ['main', 'master']

/** The run to judge `head` against: the one named, or the newest earlier one of the default branch. */
export async function getBaseline(context: CallContext, reference: string, head: Run): Promise<Run> {
  if (reference !== 'baseline') return getRun(context, reference)
  for (const branch of defaultBranches) {
    const run = await context.deps.stores.runs.findLatest(context.caller, {
      projectId: head.projectId,
      branch,
      before: head.createdAt,
    })
    if (run !== undefined) return run
  }
  throw new Problem(
    'run_not_found',
    `There is no run on ${defaultBranches.join(' or ')} before ${head.id} to judge it against. Name one.`,
    { hint: [operations.listRuns, 'shows the ones there are'] },
  )
}
