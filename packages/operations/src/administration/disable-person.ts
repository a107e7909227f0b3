import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getPerson, personNow } from './person-on-wire.ts'

export const disablePerson = implement(operations.disablePerson)(async (input, context) => {
  const person = await getPerson(context, input.user_id)
  if (input.disabled && person.id === context.principal.userId) {
    throw new Problem('in_use', 'That is you. Let another administrator do it.')
  }
  await context.deps.stores.administration.setDisabled(
    context.caller,
    person.id,
    input.disabled ? { reason: input.reason } : null,
  )
  return { person: await personNow(context, person.id) }
})
