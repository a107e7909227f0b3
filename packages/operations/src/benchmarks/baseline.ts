import { operations, Problem } from '@flamegate/contract'
import type { CallContext, Reading } from '../implement.ts'
import type { Run } from '../ports/index.ts'
import { getRun } from '../targets.ts'
import { defaultBranchOf } from './default-branch.ts'

/**
 * The run to judge `head` against: the one that is named; or for `baseline` the one it was measured in turns with, else
 * the one pinned in the project, else the run of the commit that head was branched off, else the newest earlier one of the
 * default branch.
 * @throws Problem `run_not_found` when there is none, also for `baseline`
 */
export async function getBaseline(context: CallContext, reference: string, head: Run): Promise<Run> {
  const run = await findBaseline(context, reference, head)
  if (run !== undefined) return run
  throw new Problem(
    'run_not_found',
    `There is no run on the default branch before ${head.id} to judge it against. Name one.`,
    { hint: [operations.listRuns, 'shows the ones there are'] },
  )
}

/** The same, but undefined when there is no baseline yet. */
export async function findBaseline(
  context: CallContext,
  reference: string,
  head: Run,
): Promise<Run | undefined> {
  if (reference !== 'baseline') {
    // A branch of which head is the newest run has an earlier one.
    const before = reference === head.branch ? head.createdAt : undefined
    return getRun(context, reference, { repository: head.projectId, before })
  }
  return findOwnBaseline(context, head)
}

/** What `baseline` stands for. */
export async function findOwnBaseline(context: Reading, head: Run): Promise<Run | undefined> {
  return (
    (await findMeasuredWith(context, head)) ??
    (await findPinned(context, head)) ??
    (await findMergeBase(context, head)) ??
    (await findOnDefaultBranch(context, head))
  )
}

/** Of two runs whose processes ran in turns, base is recorded first. */
async function findMeasuredWith({ caller, deps }: Reading, head: Run): Promise<Run | undefined> {
  if (head.measurementId === null) return undefined
  return deps.stores.runs.findLatest(caller, {
    projectId: head.projectId,
    measurementId: head.measurementId,
    before: head.createdAt,
  })
}

async function findPinned({ caller, deps }: Reading, head: Run): Promise<Run | undefined> {
  const project = await deps.stores.projects.find(caller, head.projectId)
  const pinned = project?.baselineRunId ?? head.id
  return pinned === head.id ? undefined : deps.stores.runs.find(caller, pinned)
}

async function findMergeBase({ caller, deps }: Reading, head: Run): Promise<Run | undefined> {
  if (head.baseCommitHash === null) return undefined
  return deps.stores.runs.findLatest(caller, {
    projectId: head.projectId,
    commitHash: head.baseCommitHash,
    before: head.createdAt,
  })
}

async function findOnDefaultBranch({ caller, deps }: Reading, head: Run): Promise<Run | undefined> {
  const project = await deps.stores.projects.find(caller, head.projectId)
  if (project === undefined) return undefined
  return deps.stores.runs.findLatest(caller, {
    projectId: project.id,
    branch: await defaultBranchOf(deps.stores, caller, project),
    before: head.createdAt,
  })
}
