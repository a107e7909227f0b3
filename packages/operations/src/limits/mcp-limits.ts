import type { McpBounds } from '../ports/index.ts'
import type { LoadFactor } from './load-limits.ts'

/** What a project may keep of MCP servers in the plan `free`, which is the only one. */
const plan = {
  targetsOfProjectMax: 100,
  sessionsOfTargetMax: 10_000,
  bytesOfWorkspaceMax: 2 ** 30,
}

/** The plan's targets, sessions and reports, as far as this installation goes from it; Infinity where nothing is limited. */
export function mcpBounds(limits: LoadFactor): McpBounds {
  const factor = limits?.factor ?? Infinity
  return {
    targetsOfProjectMax: Math.ceil(plan.targetsOfProjectMax * factor),
    sessionsOfTargetMax: Math.ceil(plan.sessionsOfTargetMax * factor),
    bytesOfWorkspaceMax: Math.round(plan.bytesOfWorkspaceMax * factor),
  }
}
