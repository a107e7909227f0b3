import type { operations, OutputOf } from '@flamegate/contract'
import type { CountedPlan } from '../ports/index.ts'

type PlanOnWire = OutputOf<typeof operations.setPlan>['plan']

export function planOnWire({ id, title, limits, workspaceCount }: CountedPlan): PlanOnWire {
  return { id, title, limits, workspace_count: workspaceCount }
}
