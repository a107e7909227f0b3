import { operations } from '@flamegate/contract'
import { groupByCause } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { resultOnWire, timingsOnWire, validationOnWire } from './on-wire.ts'
import { getValidation } from './reaching.ts'

const toldActions = 2000
/** A page with its resources may have many. */
const toldExchanges = 50

export const getValidationWaterfall = implement(operations.getValidationWaterfall)(async (input, context) => {
  const validation = await getValidation(context, input.validation_id)
  const results = validation.results.filter(
    ({ iteration }) => input.iteration === undefined || iteration === input.iteration - 1,
  )
  const causeOf = new Map(
    groupByCause(results).flatMap(({ cause, actionIds }) => actionIds.map((id) => [id, cause])),
  )
  const isOver = validation.finishedAt !== null
  if (!isOver) context.isUneventful()
  return {
    validation: validationOnWire(validation),
    actions: results.slice(0, toldActions).map((result) => ({
      ...resultOnWire(result, result.outcome === 'failed' ? (causeOf.get(result.actionId) ?? null) : null),
      exchanges: result.exchanges.slice(0, toldExchanges).map(({ role, startedAt, timings }) => ({
        role,
        started_at: startedAt,
        timings_ms: timingsOnWire(timings),
      })),
    })),
    omitted_actions: Math.max(0, results.length - toldActions),
    next_poll_seconds: isOver ? null : 2,
  }
})
