import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { mcpTargetOnWire } from './on-wire.ts'
import { commandLine } from './order-session.ts'
import { getMcpTarget } from './reaching.ts'

export const monitorMcpServer = implement(operations.monitorMcpServer)(async (input, context) => {
  const { caller, deps } = context
  const before = await getMcpTarget(context, input.mcp_target_id)
  const monitor = input.is_on
    ? {
        intervalSeconds: input.interval_seconds,
        retentionHours: input.retention_hours,
        seconds: input.seconds,
      }
    : null
  await deps.stores.mcp.updateTarget(caller, before.id, { monitor })
  const target = await getMcpTarget(context, before.id)
  const onWire = mcpTargetOnWire(target, await deps.stores.collectors.list(caller, target.projectId))
  const words = [
    'continuous',
    `--interval=${input.interval_seconds}s`,
    `--retention=${input.retention_hours}h`,
    `--duration=${input.seconds}s`,
    ...(target.operations.length === 0 ? [] : ['--operations', target.operations.join(',')]),
  ]
  return {
    mcp_target: onWire,
    commands:
      monitor === null || onWire.collectors.length > 0
        ? []
        : [
            {
              title: 'Measure it again and again, and upload the reports',
              command: commandLine(target, words),
            },
          ],
  }
})
