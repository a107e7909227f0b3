import type { ObjectStorage } from '@flamegate/operations/ports'
import type { PlatformConfig } from './platform-config.ts'

/** Where pages upload to besides us: what was set, or else where the links of the bucket lead. None without a bucket. */
export async function storageOriginsOf(
  config: Pick<PlatformConfig, 'FLAMEGATE_STORAGE_ORIGINS' | 'S3_BUCKET'>,
  storage: Pick<ObjectStorage, 'presignUpload'>,
): Promise<readonly string[]> {
  if (config.FLAMEGATE_STORAGE_ORIGINS.length > 0) return config.FLAMEGATE_STORAGE_ORIGINS
  if (config.S3_BUCKET === undefined) return []
  // A link is made here, and asks nobody; nothing is uploaded by this one.
  const { url } = await storage.presignUpload('origin/origin', {
    sizeBytes: 1,
    contentType: 'text/plain',
    expiresInS: 1,
  })
  return [new URL(url).origin]
}
