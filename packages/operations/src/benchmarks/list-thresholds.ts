import { operations, type OutputOf } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProjectOfRepository, getProjectWithCounts } from '../targets.ts'
import { defaultRule } from './applying-threshold.ts'
import { defaultBranchOf } from './default-branch.ts'
import { alertsOffOnWire, thresholdOnWire } from './watching-on-wire.ts'

type ThresholdOnWire = OutputOf<typeof operations.listThresholds>['thresholds'][number]

export const listThresholds = implement(operations.listThresholds)(async (input, context) => {
  const { caller, deps } = context
  const { id } = await getProjectOfRepository(context, input.repository)
  const project = await getProjectWithCounts(context, id)
  const [branch, set] = await Promise.all([
    defaultBranchOf(deps.stores, caller, project),
    deps.stores.thresholds.list(caller, project.id),
  ])
  return {
    project_id: project.id,
    alerts_off: alertsOffOnWire(project),
    thresholds: [...set.map(thresholdOnWire), defaultThreshold(project.id, branch)],
  }
})

/** It gives way to every other one that fits. */
function defaultThreshold(projectId: string, branch: string): ThresholdOnWire {
  return {
    id: `default_${projectId}`,
    branch,
    benchmark_id: null,
    metric: null,
    test: defaultRule.test,
    lower_bound: defaultRule.lowerBound,
    upper_bound: defaultRule.upperBound,
    window_runs: defaultRule.windowRuns,
    sample_min: defaultRule.sampleMin,
    is_default: true,
    updated_at: null,
  }
}
