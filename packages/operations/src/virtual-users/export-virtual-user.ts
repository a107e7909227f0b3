import { operations } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { DesignObject, VirtualUserFormat, WrittenExport } from '../ports/index.ts'
import { storeExport } from '../profiles/store-export.ts'
import { harOfValidation } from '../validation/har-of-validation.ts'
import { gatherArchive } from './gather-archive.ts'
import { getVirtualUser } from './reaching.ts'

export const exportVirtualUser = implement(operations.exportVirtualUser)(async (input, context) => {
  const object = await getVirtualUser(context, input.virtual_user_id)
  const { format } = input
  const written =
    format === 'har'
      ? {
          bytes: await harOfValidation(context, object, input.validation_id),
          contentType: 'application/json',
          extension: '.har',
          notes: [],
        }
      : await exported(context, object, format)
  const stored = await storeExport(context, object.workspaceId, written, fileNameOf(object.name))
  return { virtual_user_id: object.id, format, ...stored }
})

async function exported(
  context: CallContext,
  object: DesignObject,
  format: VirtualUserFormat,
): Promise<WrittenExport> {
  const { archive, notes } = await gatherArchive(context, object)
  const written = await context.deps.virtualUserWriter.write(format, archive)
  return { ...written, notes: [...written.notes, ...notes] }
}

/** Names are anything; names of files are not. */
function fileNameOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N} ._()-]+/gu, '_').replace(/^\.+/, '') || 'virtual-user'
}
