import { ApiProblem, ApiUnreachable } from '@flamegate/client'
import { operations } from '@flamegate/contract'
import { untilOver } from '../capture/until-over.ts'
import { carryOut } from './carry-out.ts'
import { connect, type CollectorContext } from './connect.ts'

const longestPauseSeconds = 60
/** Whoever says nothing for a minute counts as gone. */
const sayEveryMs = 30_000

/** Says that it is there, waits for what it is asked, takes it, and so on, until it is interrupted. */
export async function runCollector(context: CollectorContext): Promise<void> {
  const { client, interruption, allowList, log } = context
  let failures = 0
  let connection: { collectorId: string; atMs: number } | undefined
  while (!interruption.aborted) {
    try {
      if (connection === undefined || Date.now() - connection.atMs > sayEveryMs) {
        const collectorId = await connect(context)
        if (connection === undefined) {
          const names = allowList.captures.map(({ name }) => name)
          log(`connected as ${allowList.name}; may run: ${names.join(', ')}`)
        }
        connection = { collectorId, atMs: Date.now() }
      }
      const { collectorId } = connection
      const { capture } = await client.call(
        operations.awaitCapture,
        { collector_id: collectorId },
        { signal: interruption },
      )
      failures = 0
      if (capture !== null) await carryOut(context, capture)
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

/** A token that is no good, or a project that is gone, will not come back. */
function isPassing(error: Error): boolean {
  if (error instanceof ApiUnreachable) return true
  // A collector that was forgotten while it was away makes itself known again.
  return (
    error instanceof ApiProblem &&
    (error.status === 429 || error.status >= 500 || error.code === 'collector_not_found')
  )
}
