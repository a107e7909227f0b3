import { ApiProblem, ApiUnreachable } from '@flamegate/client'
import { CaptureFailed } from '../capture/capture-request.ts'
import { CouldNotMeasure } from '../mcp/could-not-measure.ts'
import { UploadRefused } from '../upload/send-presigned.ts'
import { TaskFailed } from '../upload/wait-for-task.ts'
import { UsageError } from '../usage-error.ts'
import { connect, type CollectorContext } from './connect.ts'

/** How often the platform hears how far it is, and the collector whether to go on. */
const tellEveryMs = 5_000
const goneCodes: ReadonlySet<string> = new Set(['task_not_found', 'mcp_session_not_found'])

/** What the platform hears of an order, in its words for tasks. */
export interface OrderState {
  state: 'started' | 'going_on' | 'failed' | 'stopped'
  message?: string
}

/** Something that was asked for. */
export interface Order {
  /** For the log. */
  id: string
  name: string
  /** What it does right now, in words. */
  doing: () => string
  /** @returns whether it goes on */
  report: (state: OrderState) => Promise<boolean>
  /** Does it, and reports that it is done. @returns what came of it, for the log */
  carryOut: (interruption: AbortSignal) => Promise<string>
}

/** Does one thing that was asked for, and reports what came of it. */
export async function carryOut(context: CollectorContext, order: Order): Promise<void> {
  const { log, interruption } = context
  const { id, name, doing } = order
  if (!(await tell(order, { state: 'started', message: doing() }))) {
    log(`${id}: ${name} was called off, or is taken by another collector of this name`)
    return
  }
  log(`${id}: ${doing()}`)
  const callingOff = new AbortController()
  const telling = setInterval(() => {
    tellAndAsk().catch(() => {
      // Whether there is a connection again shows when there is something to upload.
    })
  }, tellEveryMs)
  try {
    const came = await order.carryOut(AbortSignal.any([interruption, callingOff.signal]))
    log(`${id}: ${name} is ${came}`)
  } catch (error) {
    if (callingOff.signal.aborted) {
      await tell(order, { state: 'stopped' })
      log(`${id}: ${name} was called off`)
      return
    }
    const reason = reasonOf(error) ?? 'The collector is broken; it says how where it runs.'
    log(`${id}: ${name} failed: ${reason}`)
    await tell(order, { state: 'failed', message: reason.slice(0, 2000) })
    if (reasonOf(error) === undefined) throw error
  } finally {
    clearInterval(telling)
  }

  async function tellAndAsk(): Promise<void> {
    const [goesOn] = await Promise.all([
      tell(order, { state: 'going_on', message: doing() }),
      connect(context),
    ])
    if (!goesOn) callingOff.abort('SIGTERM')
  }
}

/** What was asked for may be deleted while it is done, which ends nothing else. @returns whether it goes on */
async function tell(order: Order, state: OrderState): Promise<boolean> {
  try {
    return await order.report(state)
  } catch (error) {
    if (error instanceof ApiProblem && goneCodes.has(error.code)) return false
    throw error
  }
}

/** What those who asked are told; undefined for what is nobody's fault but ours. */
function reasonOf(error: unknown): string | undefined {
  const kinds = [
    CaptureFailed,
    CouldNotMeasure,
    TaskFailed,
    UploadRefused,
    UsageError,
    ApiUnreachable,
    ApiProblem,
  ]
  const isKnown = error instanceof Error && kinds.some((kind) => error instanceof kind)
  return isKnown ? error.message : undefined
}
