import { operations, Problem } from '@flamegate/contract'
import { groupByCause, parseDocument } from '@flamegate/loadtest'
import { pageAfter } from '../cursor.ts'
import { implement, type CallContext } from '../implement.ts'
import type { KeptResult, WholeValidation } from '../ports/index.ts'
import { resultOnWire, validationOnWire } from './on-wire.ts'
import { findRecording, noValidation, readVirtualUser } from './reaching.ts'
import { recordingFile } from './recordings.ts'
import { replayOf } from './replays.ts'

const shownActions = 10
const shownValues = 10

export const getVirtualUserValidationIndex = implement(operations.getVirtualUserValidationIndex)(async (
  input,
  context,
) => {
  const { caller, deps } = context
  const { object } = await readVirtualUser(context, input.virtual_user_id)
  const validation =
    input.validation_id === undefined
      ? await deps.stores.validations.findLatest(caller, object.id)
      : await deps.stores.validations.find(caller, input.validation_id)
  if (validation?.virtualUserId !== object.id) {
    throw noValidation(
      input.validation_id === undefined
        ? 'This virtual user was never validated.'
        : 'This virtual user has no such validation.',
    )
  }
  const groups = groupByCause(validation.results)
  const causeOf = new Map(groups.flatMap(({ cause, actionIds }) => actionIds.map((id) => [id, cause])))
  const wanted = validation.results.filter(
    ({ outcome }) => input.outcome === 'all' || outcome === input.outcome,
  )
  const { rows, nextCursor } = await pageAfter<KeptResult & { id: string }, number>(
    'validation',
    input,
    { validation: validation.id, outcome: input.outcome },
    {
      fetch: (limit, after = -1) =>
        Promise.resolve(
          wanted
            .filter(({ sequence }) => sequence > after)
            .slice(0, limit + 1)
            .map((result) => ({ ...result, id: String(result.sequence) })),
        ),
      sortKeyOf: ({ sequence }) => String(sequence),
      readSortKey: (key) => (/^\d+$/.test(key) ? Number(key) : undefined),
    },
  )
  const isOver = validation.finishedAt !== null
  if (!isOver) context.isUneventful()
  return {
    validation: validationOnWire(validation),
    causes: groups.map(({ cause, words, advice, count, actionIds }) => ({
      cause,
      words,
      advice,
      count,
      action_ids: actionIds.slice(0, shownActions),
    })),
    likely_values:
      isOver && groups.length > 0 && input.cursor === undefined
        ? await likelyValues(context, validation)
        : [],
    actions: rows.map((result) =>
      resultOnWire(result, result.outcome === 'failed' ? (causeOf.get(result.actionId) ?? null) : null),
    ),
    next_poll_seconds: isOver ? null : 2,
    next_cursor: nextCursor,
  }
})

/** What was sent as recorded, and is the likely reason of a failure; none where there is no recording to tell. */
async function likelyValues(context: CallContext, validation: WholeValidation) {
  const { caller, deps } = context
  const version = await deps.stores.designs.findVersion(caller, validation.virtualUserId, validation.version)
  if (version === undefined) return []
  const document = parseDocument('virtual_user', version.document)
  const recording = await findRecording(context, document, validation.projectId)
  const replay = await replayOf(deps, caller, validation)
  if (recording === undefined || replay === undefined) return []
  const causes = await deps.correlating
    .ask({
      name: 'likely_causes',
      params: { results: validation.results },
      document,
      recording: recordingFile(deps.storage, recording),
      replays: [replay],
    })
    .catch((error: unknown) => {
      // The rest of the answer does not need it.
      if (error instanceof Problem) return []
      throw error
    })
  return causes.slice(0, shownValues).map(({ actionId, words, sent, given, suggestionId }) => ({
    action_id: actionId,
    why: words,
    value: sent,
    replayed_value: given,
    suggestion_id: suggestionId,
  }))
}
