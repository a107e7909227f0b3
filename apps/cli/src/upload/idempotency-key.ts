import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { UploadFile } from './upload-file.ts'

/**
 * The key of an upload: the same for the same bytes with the same commit, branch, environment and job, so that a step
 * that is repeated after it was cut off goes on with the run that it had begun.
 */
export async function uploadKey(
  operationId: string,
  input: Readonly<Record<string, unknown>>,
  file: UploadFile,
  job: string | undefined,
): Promise<string> {
  const content = createHash('sha256')
  if (file.path === undefined) content.update(await file.read())
  else await pipeline(createReadStream(file.path), content)
  return createHash('sha256')
    .update(JSON.stringify([operationId, job ?? '', input, content.digest('hex')]))
    .digest('hex')
}
