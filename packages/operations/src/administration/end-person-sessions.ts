import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getPerson, personNow } from './person-on-wire.ts'

export const endPersonSessions = implement(operations.endPersonSessions)(async (input, context) => {
  const { id } = await getPerson(context, input.user_id)
  const ended = await context.deps.stores.administration.endSessions(context.caller, id)
  return {
    person: await personNow(context, id),
    ended_sessions: ended.sessions,
    ended_apps: ended.apps,
  }
})
