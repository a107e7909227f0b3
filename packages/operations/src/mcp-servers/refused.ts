import { operations, Problem } from '@flamegate/contract'
import type { McpBounds, McpRefusal } from '../ports/index.ts'

/** What a refusal of the store is to whoever asked. */
export function refused(refusal: McpRefusal, bounds: McpBounds): Problem {
  const hint = [operations.deleteMcpSession, 'removes one'] as const
  if (refusal.refused === 'too_many_sessions') {
    return new Problem(
      'in_use',
      `This MCP target has ${bounds.sessionsOfTargetMax} sessions, and there are no more to be had.`,
      { hint },
    )
  }
  if (refusal.refused === 'too_large') {
    return new Problem(
      'too_large',
      `The report needs ${refusal.neededBytes} bytes; ${refusal.keptBytes} of the ${bounds.bytesOfWorkspaceMax} that the workspace may keep of such reports are used.`,
      { hint },
    )
  }
  return new Problem('invalid_input', 'This session has a report already, which stays.', {
    errors: [{ field: 'report', message: 'One session has one report.' }],
  })
}

export function tooManyTargets({ targetsOfProjectMax }: McpBounds): Problem {
  return new Problem(
    'in_use',
    `The project has ${targetsOfProjectMax} MCP targets, and there are no more to be had.`,
    { hint: [operations.deleteMcpTarget, 'removes one'] },
  )
}
