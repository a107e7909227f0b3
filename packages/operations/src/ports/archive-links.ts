/** An archive that may be put at its address, without any other credential, until then. */
export interface ExpectedArchive {
  /** Where the storage keeps it: `<workspaceId>/<fileId>`. */
  key: string
  /** The task that waits for it. */
  taskId: string
  /** MD5 of the bytes, base64: no others are taken. */
  md5: string
  expiresAt: Date
}

/** Addresses for archives of which the content is known before their size is. Whoever holds one may use it. */
export interface ArchiveLinks {
  urlOf(archive: ExpectedArchive): string
  /** What an address (as it was sent: path and query) allows; undefined when it was changed or has expired. */
  read(pathAndQuery: string): ExpectedArchive | undefined
}
