import type { ObjectStorage } from '@flamegate/operations/ports'
import { openFolderStorage, type FolderStorage } from './folder-storage.ts'
import { openS3Storage } from './s3-storage.ts'

/** The settings that say where bytes live (`storageSettings` of the runtime). */
export interface StorageSettings {
  S3_BUCKET?: string | undefined
  S3_REGION: string
  S3_ENDPOINT?: string | undefined
  S3_PUBLIC_ENDPOINT?: string | undefined
  S3_ACCESS_KEY_ID?: string | undefined
  S3_SECRET_ACCESS_KEY?: string | undefined
  S3_FORCE_PATH_STYLE: boolean
  FLAMEGATE_STORAGE_DIR?: string | undefined
}

/** The settings do not go together. `message` is meant to be printed as it is. */
class StorageSettingsError extends Error {
  override name = 'StorageSettingsError'
  readonly isForOperator = true
}

/**
 * An S3 bucket when one is named, else the folder, whose links our own API serves.
 * @throws StorageSettingsError when there is neither, the bucket has no key, or the folder cannot be written
 */
export async function openStorage(
  settings: StorageSettings,
  folder: { baseUrl: string; signingKey: string },
): Promise<{ storage: ObjectStorage; folder?: FolderStorage }> {
  if (settings.S3_BUCKET !== undefined) {
    if (settings.S3_ACCESS_KEY_ID === undefined || settings.S3_SECRET_ACCESS_KEY === undefined) {
      throw new StorageSettingsError(
        'A setting is not right:\n  S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
      )
    }
    return {
      storage: openS3Storage({
        bucket: settings.S3_BUCKET,
        region: settings.S3_REGION,
        accessKeyId: settings.S3_ACCESS_KEY_ID,
        secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
        forcePathStyle: settings.S3_FORCE_PATH_STYLE,
        endpoint: settings.S3_ENDPOINT,
        publicEndpoint: settings.S3_PUBLIC_ENDPOINT,
      }),
    }
  }
  if (settings.FLAMEGATE_STORAGE_DIR === undefined) {
    throw new StorageSettingsError(
      'A setting is not right:\n  Set S3_BUCKET, or FLAMEGATE_STORAGE_DIR for a folder.',
    )
  }
  const dir = settings.FLAMEGATE_STORAGE_DIR
  const storage = await openFolderStorage({ dir, ...folder }).catch((cause: unknown) => {
    if (!(cause instanceof Error && 'code' in cause)) throw cause
    throw new StorageSettingsError(
      `A setting is not right:\n  FLAMEGATE_STORAGE_DIR is "${dir}". Nothing can be stored there (${cause.message}). Set it to a folder that this process may write to.`,
      { cause },
    )
  })
  return { storage, folder: storage }
}
