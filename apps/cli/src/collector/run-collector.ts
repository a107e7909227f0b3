import { ApiProblem, ApiUnreachable } from '@flamegate/client'
import { awaitCapture } from '@flamegate/contract/profiles/await-capture'
import { untilOver } from '../capture/until-over.ts'
import type { AllowList } from './allow-list.ts'
import { captureOrder } from './capture-order.ts'
import { carryOut } from './carry-out.ts'
import { connect, type CollectorContext } from './connect.ts'
import { mcpOrder } from './mcp-order.ts'

const longestPauseSeconds = 60
/** Whoever says nothing for a minute counts as gone. */
const sayEveryMs = 30_000

/** Says that it is there, waits for what it is asked, does it, and so on, until it is interrupted. */
export async function runCollector(context: CollectorContext): Promise<void> {
  const { client, interruption, allowList, log } = context
  let failures = 0
  let connection: { collectorId: string; atMs: number } | undefined
  while (!interruption.aborted) {
    try {
      if (connection === undefined || Date.now() - connection.atMs > sayEveryMs) {
        const collectorId = await connect(context)
        if (connection === undefined) {
          log(`connected as ${allowList.name}; ${whatMayBeDone(allowList)}`)
        }
        connection = { collectorId, atMs: Date.now() }
      }
      const { collectorId } = connection
      const { capture, mcp_session: session } = await client.call(
        awaitCapture,
        { collector_id: collectorId },
        { signal: interruption },
      )
      failures = 0
      if (capture !== null) await carryOut(context, captureOrder(context, capture))
      else if (session !== null) await carryOut(context, mcpOrder(context, session))
    } catch (error) {
      if (interruption.aborted) break
      if (!(error instanceof Error) || !isPassing(error)) throw error
      failures += 1
      const seconds = Math.min(longestPauseSeconds, 2 ** failures)
      log(`no connection (${error.message}); trying again in ${seconds} s`)
      connection = undefined
      await untilOver(seconds, interruption)
    }
  }
  log('stopped')
}

function whatMayBeDone({ captures, mcpServers }: AllowList): string {
  return [
    ...(captures.length > 0 ? [`may run: ${namesOf(captures)}`] : []),
    ...(mcpServers.length > 0 ? [`may measure: ${namesOf(mcpServers)}`] : []),
  ].join('; ')
}

function namesOf(all: readonly { name: string }[]): string {
  return all.map(({ name }) => name).join(', ')
}

/** A token that is no good, or a project that is gone, will not come back. */
function isPassing(error: Error): boolean {
  if (error instanceof ApiUnreachable) return true
  // A collector that was forgotten while it was away makes itself known again.
  return (
    error instanceof ApiProblem &&
    (error.status === 429 || error.status >= 500 || error.code === 'collector_not_found')
  )
}
