import { operations, Problem } from '@flamegate/contract'
import {
  addedTo,
  OtlpError,
  otlpReceived,
  type ItemsBefore,
  type OtlpReceived,
  type ReceivedLivePush,
} from '@flamegate/live'
import { implement } from '../implement.ts'
import { getLiveApp } from './reaching.ts'
import { takePush } from './take-push.ts'

/** Each is stored in a transaction of its own. */
const programsMax = 200

export const pushOtlp = implement(operations.pushOtlp)(async (input, context) => {
  // Every few seconds, all the time that a program runs.
  context.isUneventful()
  const app = await getLiveApp(context, input.live_app_id)
  const received = receivedOf(input.signal, input.request)
  // All of it at first: what is refused after a part of it was stored would come again as a whole.
  let values = received.reduce((sum, { calls, readings }) => sum + calls.length + readings.length, 0)
  let leftOut = 0
  for (const each of received) {
    const { session, program, identity } = each
    const make = (before: ItemsBefore, lastSequence: number): ReceivedLivePush => {
      const at = Date.now()
      const added = addedTo(before, each, at)
      for (const section of Object.values(added.sections)) leftOut += section.left_out ?? 0
      return { session, sequence: lastSequence + 1, at, program, ...added }
    }
    // oxlint-disable-next-line no-await-in-loop -- one request is one call at a time
    await takePush(context, app, { session, identity, make }, values)
    values = 0
  }
  return { live_app_id: app.id, sessions: received.map(({ session }) => session), left_out: leftOut }
})

function receivedOf(signal: 'metrics' | 'traces', request: unknown): OtlpReceived[] {
  try {
    const received = otlpReceived(signal, request)
    if (received.length <= programsMax) return received
    throw new Problem('too_large', `A request may tell of ${programsMax} programs. Send smaller batches.`)
  } catch (error) {
    if (!(error instanceof OtlpError)) throw error
    throw new Problem('invalid_input', error.message, {
      errors: [{ field: 'request', message: error.message }],
      cause: error,
    })
  }
}
