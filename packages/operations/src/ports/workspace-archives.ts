/** An archive of everything of a workspace, on the disk of the worker, because nobody knows before how large it is. */
export interface WorkspaceArchive {
  sizeBytes: number
  /** Base64. */
  md5: string
  /** Hex. */
  sha256: string
  open(): AsyncIterable<Uint8Array>
  remove(): Promise<void>
}

/** @param onBytes Told now and then how many bytes were read; false gives up, and there is no archive. */
export type WorkspaceArchives = (
  workspaceId: string,
  onBytes: (bytes: number) => Promise<boolean>,
) => Promise<WorkspaceArchive | undefined>
