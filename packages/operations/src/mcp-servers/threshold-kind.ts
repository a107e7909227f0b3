import { Problem, type InputOf, type operations } from '@flamegate/contract'
import type { AlertTarget } from '../ports/index.ts'

/**
 * What thresholds are for: an MCP target that is named says so as well.
 * @throws Problem `invalid_input` where a live app is named, too
 */
export function kindOfThresholds({
  target,
  live_app_id: appId,
  mcp_target_id: targetId,
}: Pick<
  InputOf<typeof operations.setAlertThresholds>,
  'target' | 'live_app_id' | 'mcp_target_id'
>): AlertTarget {
  const kind = targetId === undefined ? target : 'mcp_target'
  if (kind === 'live_app' || appId === undefined) return kind
  throw new Problem('invalid_input', 'Thresholds are for a live app or for an MCP target.', {
    errors: [{ field: 'live_app_id', message: 'Leave it out for MCP targets.' }],
  })
}
