import type { Caller } from '@flamegate/contract'
import type { ImportReport } from '@flamegate/loadtest'
import type { DesignChange, NewDesignObject } from './designs.ts'
import type { FileRecord } from './records.ts'

/** What the task of an import answers when it has ended. As on the wire. */
export interface ImportResult extends Record<string, unknown> {
  virtual_users: { id: string; name: string }[]
}

/** What a browser sent and got, of which virtual users were made. */
export interface Recording {
  id: string
  workspaceId: string
  projectId: string
  /** Of its exchanges, as `RecordingWriter` wrote them. */
  storageKey: string
  sizeBytes: number
  exchangeCount: number
  /** JSON of the `RecordingIndex`, as bytes. */
  index: Uint8Array
  createdAt: Date
}

/** A file whose bytes are in the storage already. */
export type StoredFile = Pick<
  FileRecord,
  'id' | 'name' | 'contentType' | 'sizeBytes' | 'sha256' | 'storageKey'
>

/** What became of the elements of a source, and for those that became actions, which virtual user has them. */
export interface StoredReport extends ImportReport {
  elements: (ImportReport['elements'][number] & { virtualUserId?: string })[]
}

/** Everything that came of an import. */
export interface CompletedImport {
  workspaceId: string
  projectId: string
  taskId: string
  fileName: string
  objects: readonly NewDesignObject[]
  change: DesignChange
  /** Project files; their names are their paths, which mean them from now on. */
  files: readonly StoredFile[]
  recording: { id: string; file: StoredFile; exchangeCount: number; index: Uint8Array } | null
  report: StoredReport
  result: ImportResult
}

export interface StoredImport {
  taskId: string
  projectId: string
  workspaceId: string
  fileName: string
  report: StoredReport
  result: ImportResult
  createdAt: Date
}

export interface ImportStore {
  /**
   * Stores all of it in one transaction, or nothing; false when that import was stored already, because a job may come twice.
   * @throws Conflict `name`
   */
  complete(caller: Caller, completed: CompletedImport): Promise<boolean>
  find(caller: Caller, taskId: string): Promise<StoredImport | undefined>
}

export interface RecordingStore {
  find(caller: Caller, id: string): Promise<Recording | undefined>
}
