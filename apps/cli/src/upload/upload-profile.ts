import type { Client } from '@flamegate/client'
import { operations, uploadLimits } from '@flamegate/contract'
import { z } from 'zod'
import { parseInput } from '../arguments/field-values.ts'
import type { Progress } from './progress.ts'
import { sendPresigned } from './send-presigned.ts'
import type { UploadFile } from './upload-file.ts'
import { waitForTask } from './wait-for-task.ts'

/** Where a profile belongs and what it is of, in the words of the wire. */
export interface NewProfile {
  project_id: string
  run_id?: string
  benchmark: string | undefined
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
  format: string
  warnings: string[]
  url: string
}

/** What the task of an import says at its end; only what is printed. */
const importedProfile = z.object({ format: z.string(), warnings: z.array(z.string()) })

/** Adds a profile, inline when it is small, else by a presigned upload, and waits until it is read. */
export async function uploadProfile(
  client: Client,
  file: UploadFile,
  profile: NewProfile,
  progress: Progress,
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
  const created = await client.call(operations.createProfileUpload, input)
  if (created.upload !== null) {
    await sendPresigned(file, created.upload, (sentBytes) => progress.sent(sentBytes, file.sizeBytes))
  }
  const imported = importedProfile.parse(await waitForTask(client, created.task_id, progress))
  return {
    kind: 'profile',
    file: file.name,
    profile_id: created.profile_id,
    project_id: profile.project_id,
    run_id: profile.run_id ?? null,
    ...imported,
    url: created.url,
  }
}
