import { operations, Problem } from '@flamegate/contract'
import type { CallContext, Reading } from '../implement.ts'
import type { Project, Run } from '../ports/index.ts'
import { getRun, isRunId } from '../targets.ts'
import { defaultBranchOf } from './default-branch.ts'

/**
 * The run to judge `head` against: the one that is named; or for `baseline` the one it was measured in turns with, else
 * the one pinned in the project, else the one that head grew out of (`findBefore`).
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
    if (isRunId(reference)) return getRun(context, reference)
    // A branch of which head is the newest run has an earlier one.
    const before = reference === head.branch ? head.createdAt : undefined
    return (
      (await findOnBranch(context, reference, head, before)) ??
      getRun(context, reference, { repository: head.projectId, before })
    )
  }
  return findOwnBaseline(context, head)
}

/** Of a branch that is named the newest run that measured what head did. */
async function findOnBranch(
  { caller, deps }: Reading,
  reference: string,
  head: Run,
  before: Date | undefined,
): Promise<Run | undefined> {
  if (reference === 'latest') return undefined
  const filter = { projectId: head.projectId, branch: reference, before, measuringLike: head }
  return deps.stores.runs.findLatest(caller, filter)
}

/** What `baseline` stands for. */
export async function findOwnBaseline(context: Reading, head: Run): Promise<Run | undefined> {
  const measuredWith = await findMeasuredWith(context, head)
  if (measuredWith !== undefined) return measuredWith
  const project = await context.deps.stores.projects.find(context.caller, head.projectId)
  if (project === undefined) return undefined
  return (await findPinned(context, project, head)) ?? findBefore(context, project, head)
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

/** One that is still being read is waited for by whoever asks; one that could not be read will never have results. */
async function findPinned(
  { caller, deps }: Reading,
  { baselineRunId: pinned }: Project,
  head: Run,
): Promise<Run | undefined> {
  if (pinned === null || pinned === head.id) return undefined
  const run = await deps.stores.runs.find(caller, pinned)
  return run?.status === 'FAILURE' ? undefined : run
}

/**
 * The run of the commit that head was branched off, else the newest earlier one of the branch that it goes into, else of
 * the default branch. A commit may have several runs, of several jobs, and only one that measured what head did can be
 * told from it; and whoever measures a commit once more asks for the change that it makes. Without such a run any is better
 * than none.
 */
async function findBefore({ caller, deps }: Reading, project: Project, head: Run): Promise<Run | undefined> {
  const commitHash = head.baseCommitHash
  const places = [
    // The jobs of both may run at the same time, and that of head end first.
    ...(commitHash === null || commitHash === head.commitHash
      ? []
      : [{ commitHash }, { commitHash, before: undefined }]),
    ...(head.baseBranch === null ? [] : [{ branch: head.baseBranch }]),
    { branch: await defaultBranchOf(deps.stores, caller, project) },
  ]
  const wishes = [{ measuringLike: head, notCommitHash: head.commitHash }, { measuringLike: head }, {}]
  for (const wish of wishes) {
    for (const place of places) {
      const filter = { projectId: head.projectId, before: head.createdAt, ...place, ...wish }
      // oxlint-disable-next-line no-await-in-loop -- the first one that is there decides
      const run = await deps.stores.runs.findLatest(caller, filter)
      if (run !== undefined) return run
    }
  }
  return undefined
}
