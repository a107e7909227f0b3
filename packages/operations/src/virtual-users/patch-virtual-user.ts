import { operations } from '@flamegate/contract'
import { compareDocuments, parseDocument } from '@flamegate/loadtest'
import { parseDesign } from '../design/parse-design.ts'
import { patchDocument, patchWords } from '../design/patch-document.ts'
import { writeDesign } from '../design/write-design.ts'
import { implement } from '../implement.ts'
import { changeOnWire, virtualUserOnWire } from './on-wire.ts'
import { getVirtualUser } from './reaching.ts'
import { summaryOf } from './summary.ts'
import { versionOf } from './version-of.ts'

const changesTold = 50

export const patchVirtualUser = implement(operations.patchVirtualUser)(async (input, context) => {
  const { restore_version: restored, dry_run: isDryRun } = input
  const before = await getVirtualUser(context, input.virtual_user_id)
  const from = restored === undefined ? before.document : await versionOf(context, before, restored)
  const document = parseDesign(context, 'virtual_user', patchDocument(from, input.patch))
  const changes = compareDocuments(parseDocument('virtual_user', before.document), document)
  const update = { name: document.name, document, summary: summaryOf(document) }
  const after = isDryRun
    ? { ...before, ...update }
    : await writeDesign(context, before, update, {
        ifVersion: input.if_version,
        words: patchWords(input.patch, restored),
        label: input.label,
      })
  return {
    virtual_user: virtualUserOnWire(after),
    changes: changes.slice(0, changesTold).map(changeOnWire),
    change_count: changes.length,
    dry_run: isDryRun,
  }
})
