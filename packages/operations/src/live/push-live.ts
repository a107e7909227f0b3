import { operations, Problem } from '@flamegate/contract'
import { liveLimits, livePush, type ReceivedLivePush } from '@flamegate/live'
import { implement } from '../implement.ts'
import { inputProblem } from '../input-problem.ts'
import { getLiveApp } from './reaching.ts'
import { entriesOf, takePush, valuesOf } from './take-push.ts'

/** Clocks differ; one that is further ahead would be the newest for as long. */
const aheadMsMax = 10 * 60_000

export const pushLive = implement(operations.pushLive)(async ({ live_app_id: id, ...told }, context) => {
  // Every second, all the time that a program runs.
  context.isUneventful()
  const app = await getLiveApp(context, id)
  const parsed = livePush.safeParse(told)
  if (!parsed.success) throw inputProblem(context.operation, told, parsed.error)
  const push = parsed.data
  mustFit(push)
  mustBePast(push, Date.now() + aheadMsMax)
  return { live_app_id: app.id, status: await takePush(context, app, push, valuesOf(push)) }
})

/** @throws Problem `too_large` */
function mustFit({ logs }: ReceivedLivePush): void {
  const count = entriesOf(logs)
  if (count <= liveLimits.entriesMax) return
  throw new Problem(
    'too_large',
    `A push has at most ${liveLimits.entriesMax} log entries, and this one has ${count}. Push more often.`,
  )
}

/**
 * Times are milliseconds since 1970, and not ahead of ours.
 * @throws Problem `invalid_input`
 */
function mustBePast({ at, logs }: ReceivedLivePush, latest: number): void {
  const wrong =
    at > latest ? 'at' : logs.findIndex((log) => log.at.some((time) => !(time >= 0 && time <= latest)))
  if (wrong === -1) return
  const field = wrong === 'at' ? wrong : `logs.${wrong}.at`
  throw new Problem('invalid_input', `A time of this push is ahead, or no time: look at ${field}.`, {
    errors: [{ field, message: 'Milliseconds since 1970, not ahead of now; is the clock right?' }],
  })
}
