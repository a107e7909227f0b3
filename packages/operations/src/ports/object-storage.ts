/** A request that somebody who holds it may make once, without any other credential, until it expires. */
export interface PresignedRequest {
  method: 'PUT' | 'GET'
  url: string
  /** Headers that must be sent exactly so. */
  headers: Record<string, string>
  /** UTC, ISO 8601. */
  expiresAt: string
}

export interface StoredObject {
  sizeBytes: number
  /** Hex SHA-256 of the content, where the storage knows it. */
  sha256?: string
}

export interface ListedObject {
  key: string
  sizeBytes: number
  storedAt: Date
}

/** Bytes by key: S3 or a folder. Keys are `<workspaceId>/<fileId>`; they are never a user's text. */
export interface ObjectStorage {
  presignUpload(
    key: string,
    options: { sizeBytes: number; contentType: string; expiresInS: number },
  ): Promise<PresignedRequest>
  presignDownload(
    key: string,
    options: { fileName: string; contentType: string; expiresInS: number },
  ): Promise<PresignedRequest>
  /** Undefined when nothing was uploaded under that key. */
  find(key: string): Promise<StoredObject | undefined>
  /** Whole content; rejects with a RangeError when it is larger than `maxBytes`. */
  read(key: string, options: { maxBytes: number }): Promise<Uint8Array>
  /** The content as it comes; stop reading to let go of it. Undefined when there is no such key. */
  open(key: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /**
   * Streams an object in. Nothing is replaced: one that is there already stays. Rejects with a RangeError when there are
   * not exactly `sizeBytes`, or they have another MD5 (base64).
   */
  receive(
    key: string,
    body: AsyncIterable<Uint8Array>,
    options: { sizeBytes: number; md5: string; contentType: string },
  ): Promise<void>
  write(key: string, bytes: Uint8Array, options: { contentType: string }): Promise<StoredObject>
  /** Nothing happens when there is no such key. */
  remove(key: string): Promise<void>
  /** All objects, in any order; those that come and go meanwhile may be among them. */
  list(): AsyncIterable<ListedObject>
}
