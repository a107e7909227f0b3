import { operations } from '@flamegate/contract'
import { sanityCheck, walkActions } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { readVirtualUser } from './reaching.ts'
import { sanityContextOf } from './sanity-context.ts'

export const sanityCheckVirtualUser = implement(operations.sanityCheckVirtualUser)(async (input, context) => {
  const { object, document } = await readVirtualUser(context, input.virtual_user_id)
  const findings = sanityCheck(document, await sanityContextOf(context, object.projectId))
  const names = new Map([...walkActions(document)].map(({ action }) => [action.id, action.name]))
  return {
    virtual_user_id: object.id,
    version: object.version,
    findings: findings.map(({ grade, code, actionId, words, advice }) => ({
      grade,
      code,
      action_id: actionId,
      action_name: actionId === null ? null : (names.get(actionId) ?? null),
      message: words,
      advice,
    })),
  }
})
