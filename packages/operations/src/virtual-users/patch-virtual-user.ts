import { operations } from '@flamegate/contract'
import { compareDocuments, parseDocument } from '@flamegate/loadtest'
import { changeDocument } from '../design/change-document.ts'
import { parseDesign } from '../design/parse-design.ts'
import { patchDocument } from '../design/patch-document.ts'
import { documentAt } from '../design/versions.ts'
import { implement } from '../implement.ts'
import { changeOnWire, virtualUserOnWire } from './on-wire.ts'
import { getVirtualUser } from './reaching.ts'
import { summaryOf } from './summary.ts'

export const patchVirtualUser = implement(operations.patchVirtualUser)(async (input, context) => {
  const { restore_version: restored } = input
  const before = await getVirtualUser(context, input.virtual_user_id)
  const from =
    restored === undefined ? before.document : await documentAt(context, 'virtual_user', before, restored)
  const document = parseDesign(context, 'virtual_user', patchDocument(from, input.patch))
  const changes = compareDocuments(parseDocument('virtual_user', before.document), document).map(changeOnWire)
  const update = { name: document.name, document, summary: summaryOf(document) }
  const { after, told } = await changeDocument(context, before, update, changes, input)
  return { virtual_user: virtualUserOnWire(after), ...told }
})
