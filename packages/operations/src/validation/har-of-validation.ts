import { exportHar, readRecording } from '@flamegate/loadtest'
import { Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { noValidation } from './reaching.ts'

const harBytesMax = 256 * 1024 * 1024

/** What was sent and answered in the latest validation of a virtual user, or in another of its. */
export async function harOfValidation(
  { caller, deps }: CallContext,
  { id: virtualUserId }: DesignObject,
  validationId: string | undefined,
): Promise<Uint8Array> {
  const { validations, files } = deps.stores
  const found =
    validationId === undefined
      ? (await validations.listWhole(caller, virtualUserId, 1))[0]
      : await validations.find(caller, validationId)
  if (found?.virtualUserId !== virtualUserId)
    throw noValidation('This virtual user has no such validation with exchanges.')
  const file = found.fileId === null ? undefined : await files.find(caller, found.fileId)
  const source = file && (await deps.storage.open(file.storageKey))
  if (source === undefined || found.index === null) throw noValidation('That validation sent nothing.')
  return collect(exportHar(readRecording(source, found.index)))
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const kept: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > harBytesMax)
      throw new Problem('too_large', `The HAR would be larger than ${harBytesMax / 1024 / 1024} MB.`)
    kept.push(piece)
  }
  return Buffer.concat(kept)
}
