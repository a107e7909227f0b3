import { createProfileUpload } from '@flamegate/contract/profiles/create-profile-upload'
import { uploadLimits } from '@flamegate/contract/upload-shapes'
import { z } from 'zod'
import { parseInput } from '../arguments/field-values.ts'
import type { SourceMapSearch } from '../source-maps/source-map-options.ts'
import { withSourceMaps } from '../source-maps/with-source-maps.ts'
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
  /** That went with it. */
  source_map_count: number
  warnings: string[]
  task_id: string
  url: string
}

/** What the task of an import says at its end; only what is printed. */
const importedProfile = z.object({ format: z.string(), warnings: z.array(z.string()) })

/**
 * Adds a profile with the source maps that are found, inline when it is small, else by a presigned upload, and waits until it
 * is read.
 */
export async function uploadProfile(
  context: UploadContext,
  file: UploadFile,
  profile: NewProfile,
  search: SourceMapSearch | undefined,
): Promise<UploadedProfile> {
  return withSourceMaps(file, search, async (sent) => {
    const named = sent.file === file ? profile : { ...profile, name: profile.name ?? file.name }
    const uploaded = await send(context, sent.file, named)
    return {
      ...uploaded,
      file: file.name,
      source_map_count: sent.sourceMapCount,
      warnings: [...sent.warnings, ...uploaded.warnings],
    }
  })
}

async function send(
  context: UploadContext,
  file: UploadFile,
  profile: NewProfile,
): Promise<Omit<UploadedProfile, 'source_map_count'>> {
  const isInline = file.sizeBytes <= uploadLimits.inlineBytes
  const input = parseInput(createProfileUpload, {
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
  const operation = createProfileUpload
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
