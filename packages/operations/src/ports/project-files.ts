import type { Caller } from '@flamegate/contract'
import type { FileRecord } from './records.ts'

/** What of a project file's bytes was stored under a path, now or before. */
export interface ProjectFileVersion extends FileRecord {
  /** Whether its path means this one. */
  isCurrent: boolean
}

/**
 * Files of a project by their paths: CSV files, uploads of requests. They are files of the file store with the purpose
 * `store_project_file`, of which the name is the path; a path means one of them, or none after it was deleted.
 */
export interface ProjectFileStore {
  /** All that were ever stored, by path, the newest first of each; at most `limit`. */
  listVersions(caller: Caller, projectId: string, limit: number): Promise<ProjectFileVersion[]>
  /** What a path means now. */
  find(caller: Caller, projectId: string, path: string): Promise<FileRecord | undefined>
  /** Lets the path of a stored file mean this one from now on; false when there is no such file, or its bytes did not come. */
  place(caller: Caller, fileId: string): Promise<boolean>
  /** The path means nothing any more; false when it did not before. What it meant can be placed again. */
  remove(caller: Caller, place: { workspaceId: string; projectId: string }, path: string): Promise<boolean>
}
