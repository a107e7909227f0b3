import { operations, Problem } from '@flamegate/contract'
import { requireNotFailed } from '../benchmarks/compare-two-runs.ts'
import { implement, type CallContext } from '../implement.ts'
import type { Project } from '../ports/index.ts'
import { getProjectWithCounts, getRun } from '../targets.ts'
import { projectOnWire } from '../wire.ts'

export const updateProject = implement(operations.updateProject)(async (input, context) => {
  const { projects } = context.deps.stores
  const before = await getProjectWithCounts(context, input.project_id)
  const { name, description, tags, repository, default_branch: defaultBranch } = input
  const baselineRunId = await baselineOf(before.id, input.baseline_run_id, context)
  const keylessUploadsBy =
    input.keyless_uploads === undefined ? undefined : input.keyless_uploads ? context.principal.userId : null
  const after = await projects.update(
    context.caller,
    before.id,
    {
      name,
      description,
      tags,
      repository,
      defaultBranch,
      baselineRunId,
      keylessUploadsBy,
      ...alertSwitch(before, input.alerts, context),
    },
    input.if_version,
  )
  if (after === undefined) {
    throw new Problem(
      'version_mismatch',
      `The project has version ${before.version} by now. Read it again, then repeat your change.`,
    )
  }
  return { project: projectOnWire({ ...before, ...after }) }
})

/** Who switched them off first is who is told. */
function alertSwitch(
  { alertsOffSince }: Project,
  wanted: boolean | undefined,
  { principal }: CallContext,
): Partial<Pick<Project, 'alertsOffSince' | 'alertsOffBy'>> {
  if (wanted === undefined || wanted === (alertsOffSince === null)) return {}
  return wanted
    ? { alertsOffSince: null, alertsOffBy: null }
    : { alertsOffSince: new Date(), alertsOffBy: principal.userId }
}

/**
 * CI may pin what it has just uploaded, and is not read yet.
 * @throws Problem `run_not_found` for a run of another project too, `runs_not_comparable` for one without results
 */
async function baselineOf<Nothing extends null | undefined>(
  projectId: string,
  reference: string | Nothing,
  context: CallContext,
): Promise<string | Nothing> {
  if (typeof reference !== 'string') return reference
  const run = await getRun(context, reference, { repository: projectId })
  if (run.projectId !== projectId) throw new Problem('run_not_found', 'That run belongs to another project.')
  requireNotFailed(run)
  return run.id
}
