import { ApiProblem, ApiUnreachable } from '@flamegate/client'
import { awaitMonitoring } from '@flamegate/contract/monitors/await-monitoring'
import { untilOver } from '../capture/until-over.ts'
import { checkMonitor } from './check-monitor.ts'
import { collectRun } from './collect-run.ts'
import { wordsOf, type MonitorAgentContext, type MonitorLease } from './monitor-agent-context.ts'
import { PlatformClock } from './platform-clock.ts'

const longestPauseSeconds = 60

/** Waits for monitors to collect or to check, does all of them side by side, until it is interrupted. */
export async function runMonitorAgent(context: MonitorAgentContext): Promise<void> {
  const { client, interruption, log } = context
  const clock = new PlatformClock()
  const work = new Set<Promise<void>>()
  let isConnected = false
  let failures = 0
  while (!interruption.aborted) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      const { leases } = await client.call(
        awaitMonitoring,
        {
          workspace_id: context.workspaceId,
          agent: context.name,
          agent_group: context.agentGroup,
          version: context.version,
          // The first time only whether it may.
          wait_seconds: isConnected ? 10 : 0,
        },
        { signal: interruption },
      )
      if (!isConnected) log(`connected as ${context.name}, group ${context.agentGroup}`)
      isConnected = true
      failures = 0
      for (const lease of leases) begin(lease)
    } catch (error) {
      if (interruption.aborted) break
      if (!isPassing(error)) throw error
      isConnected = false
      failures += 1
      const seconds = Math.min(longestPauseSeconds, 2 ** failures)
      log(`no connection (${wordsOf(error)}); trying again in ${seconds} s`)
      // oxlint-disable-next-line no-await-in-loop -- see above
      await untilOver(seconds, interruption)
    }
  }
  await Promise.all(work)
  log('stopped')

  function begin(lease: MonitorLease): void {
    const { run } = lease
    const task = (run === null ? checkMonitor(context, lease) : collectRun(context, clock, { ...lease, run }))
      .catch((error: unknown) => log(`${lease.monitor_id}: failed: ${wordsOf(error)}`))
      .finally(() => work.delete(task))
    work.add(task)
  }
}

/** A token that is no good, or a workspace that is gone, will not come back. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiUnreachable) return true
  return error instanceof ApiProblem && (error.status === 429 || error.status >= 500)
}
