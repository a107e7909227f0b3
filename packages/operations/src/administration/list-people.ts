import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { requireInstallationAdmin } from '../workspace/installation-admin.ts'
import { personOnWire } from './person-on-wire.ts'

export const listPeople = implement(operations.listPeople)(async (input, context) => {
  await requireInstallationAdmin(context, 'person_not_found')
  const { caller, deps } = context
  const { search, disabled: isDisabled } = input
  const { rows, nextCursor } = await pageOf('people', input, { search, isDisabled }, (page) =>
    deps.stores.administration.listPeople(caller, page, { search, isDisabled }),
  )
  return { people: rows.map(personOnWire), next_cursor: nextCursor }
})
