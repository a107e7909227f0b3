import { operations, uploadLimits } from '@flamegate/contract'
import { z } from 'zod'
import { parseInput } from '../arguments/field-values.ts'
import { uploadKey } from './idempotency-key.ts'
import { uploadContent, type UploadContext } from './upload-content.ts'
import type { UploadFile } from './upload-file.ts'

/** Where a profile belongs and what it is of, in the words of the wire. */
export interface NewProfile {
  project_id: string
  run_id?: string
  benchmark: string | undefined
  /** Else the name of the file. */
  name?: string | undefined
  type: string | undefined
  tags: readonly string[]
}

/** A profile that was read, in the words of the wire. */
export interface UploadedProfile {
  kind: 'profile'
  file: string
  profile_id: string
  project_id: string
  run_id: string | null
  /** null when nobody waited until it was read. */
  format: string | null
  warnings: string[]
  task_id: string
  url: string
}

/** What the task of an import says at its end; only what is printed. */
const importedProfile = z.object({ format: z.string(), warnings: z.array(z.string()) })

/** Adds a profile, inline when it is small, else by a presigned upload, and waits until it is read. */
export async function uploadProfile(
  context: UploadContext,
  file: UploadFile,
  profile: NewProfile,
): Promise<UploadedProfile> {
  const isInline = file.sizeBytes <= uploadLimits.inlineBytes
  const input = parseInput(operations.createProfileUpload, {
    ...profile,
    file_name: file.name,
    size_bytes: file.sizeBytes,
    ...(isInline
      ? {
          content: Buffer.from(await file.read()).toString('base64'),
          content_encoding: 'base64',
        }
      : {}),
  })
  const operation = operations.createProfileUpload
  const key = await uploadKey(operation.id, input, file, context.job)
  const { announced, result } = await uploadContent(context, file, key, (idempotencyKey) =>
    context.client.call(operation, input, idempotencyKey === undefined ? {} : { idempotencyKey }),
  )
  return {
    kind: 'profile',
    file: file.name,
    profile_id: announced.profile_id,
    project_id: profile.project_id,
    run_id: profile.run_id ?? null,
    ...(result === undefined ? { format: null, warnings: [] } : importedProfile.parse(result)),
    task_id: announced.task_id,
    url: announced.url,
  }
}
