import type { McpBounds } from '../ports/index.ts'
import { limitsOf, type LimitedDeps } from './workspace-limits.ts'

/** What keeps a project and a target from growing without end, whatever the plan. */
const targetsOfProjectMax = 100
const sessionsOfTargetMax = 10_000

/** Targets, sessions and reports that a workspace may have; Infinity where nothing is limited. */
export async function mcpBounds(deps: LimitedDeps, workspaceId: string): Promise<McpBounds> {
  const { mcpReportBytes } = await limitsOf(deps, workspaceId)
  const factor = deps.limits?.factor ?? Infinity
  return {
    targetsOfProjectMax: Math.ceil(targetsOfProjectMax * factor),
    sessionsOfTargetMax: Math.ceil(sessionsOfTargetMax * factor),
    bytesOfWorkspaceMax: mcpReportBytes,
  }
}
