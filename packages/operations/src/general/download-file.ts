import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { presignedOnWire } from '../wire.ts'
import { getFile } from './get-file.ts'

export const downloadFile = implement(operations.downloadFile)(async (input, context) => {
  const { file, page } = await getFile(context, input.file_id)
  if (file.status !== 'READY')
    throw new Problem('upload_missing', 'This file was announced, but nothing was uploaded yet.')
  const request = await context.deps.storage.presignDownload(file.storageKey, {
    fileName: file.name,
    contentType: file.contentType,
    expiresInS: 300,
  })
  return {
    file_id: file.id,
    name: file.name,
    size_bytes: file.sizeBytes,
    download: presignedOnWire(request, file.name),
    page,
  }
})
