import { Problem, type operations, type OutputOf } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { Person } from '../ports/index.ts'
import { requireInstallationAdmin } from '../workspace/installation-admin.ts'
import { isoOrNull } from '../wire.ts'

type PersonOnWire = OutputOf<typeof operations.disablePerson>['person']

/**
 * A person, for an administrator of the installation.
 * @throws Problem `person_not_found`
 */
export async function getPerson(context: CallContext, userId: string): Promise<Person> {
  await requireInstallationAdmin(context, 'person_not_found')
  context.concerns(null, userId)
  const person = await context.deps.stores.administration.findPerson(context.caller, userId)
  if (person === undefined) throw new Problem('person_not_found', 'There is no such person.')
  return person
}

/** The same once more, after something was changed. */
export async function personNow(context: CallContext, userId: string): Promise<PersonOnWire> {
  const person = await context.deps.stores.administration.findPerson(context.caller, userId)
  if (person === undefined) throw new Problem('person_not_found', 'The person is gone.')
  return personOnWire(person)
}

export function personOnWire(person: Person): PersonOnWire {
  return {
    id: person.id,
    email: person.email,
    name: person.name,
    created_at: person.createdAt.toISOString(),
    email_confirmed_at: isoOrNull(person.emailVerifiedAt),
    disabled_at: isoOrNull(person.disabledAt),
    disabled_reason: person.disabledReason,
    installation_admin: person.isInstallationAdmin,
    workspace_count: person.workspaceCount,
    session_count: person.sessionCount,
  }
}
