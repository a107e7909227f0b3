import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { reach } from '../targets.ts'
import { presignedOnWire } from '../wire.ts'

export const downloadFile = implement(operations.downloadFile)(async (input, context) => {
  const { caller, deps } = context
  const file = await deps.stores.files.find(caller, input.file_id)
  if (file === undefined) throw new Problem('file_not_found', 'No such file in your workspaces.')
  reach(context, file.workspaceId, file.id)
  if (file.status !== 'READY')
    throw new Problem('upload_missing', 'This file was announced, but nothing was uploaded yet.')
  const request = await deps.storage.presignDownload(file.storageKey, {
    fileName: file.name,
    contentType: file.contentType,
    expiresInS: 300,
  })
  return {
    file_id: file.id,
    name: file.name,
    size_bytes: file.sizeBytes,
    download: presignedOnWire(request, file.name),
    page: file.projectId === null ? '/' : `/projects/${file.projectId}`,
  }
})
