import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getPerson, personNow } from './person-on-wire.ts'

export const setInstallationAdmin = implement(operations.setInstallationAdmin)(async (input, context) => {
  const person = await getPerson(context, input.user_id)
  const { deps, caller, principal } = context
  const isAdmin = input.installation_admin
  if (!isAdmin && person.id === principal.userId) {
    throw new Problem('in_use', 'That is you. Let another administrator do it, so that one stays.')
  }
  if (!isAdmin && person.emailVerifiedAt !== null && deps.admins.includes(person.email)) {
    throw new Problem(
      'in_use',
      `The setting FLAMEGATE_ADMINS names ${person.email}. Take the address out there.`,
    )
  }
  if (isAdmin && person.emailVerifiedAt === null) {
    throw new Problem('email_unconfirmed', `Nobody confirmed ${person.email} yet: it may be somebody else’s.`)
  }
  await deps.stores.administration.setAdmin(caller, person.id, isAdmin)
  return { person: await personNow(context, person.id) }
})
