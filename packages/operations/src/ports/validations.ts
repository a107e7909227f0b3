import type { Caller } from '@flamegate/contract'
import type { ExchangeTimings, RecordingIndex } from '@flamegate/loadtest'
import type { PageRequest } from './stores.ts'

export type ValidationState = 'PENDING' | 'RUNNING' | 'PASSED' | 'FAILED' | 'ERROR' | 'CANCELLED'

/** What happened to one action, as it is kept; its exchanges are named by their places in the validation's file. */
export interface KeptResult {
  sequence: number
  /** Counted from 0. */
  iteration: number
  actionId: string
  type: string
  name: string
  path: string[]
  outcome: 'passed' | 'failed' | 'skipped'
  startedAt: string
  durationMs: number
  status: number | null
  recordedStatus: number | null
  sentBytes: number
  receivedBytes: number
  assertions: { id: string; outcome: 'passed' | 'failed'; message: string }[]
  extractors: {
    id: string
    variable: string
    outcome: 'found' | 'default' | 'missing'
    value: string | null
  }[]
  variables: Record<string, string>
  messages: string[]
  failure: string | null
  exchanges: {
    role: 'main' | 'redirect' | 'challenge' | 'resource'
    place: number
    startedAt: string
    timings: ExchangeTimings
  }[]
  /** Ids of files. */
  screenshotFileId: string | null
  traceFileId: string | null
}

export interface Validation {
  id: string
  workspaceId: string
  projectId: string
  virtualUserId: string
  /** Of the virtual user that is checked. */
  version: number
  state: ValidationState
  iterations: number
  passed: number
  failed: number
  skipped: number
  /** What it does now, or why it ended. */
  message: string
  taskId: string
  createdBy: string
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
  /** It is removed then, unless it is the latest of its virtual user. */
  expiresAt: Date
}

/** With what happened, and where it is kept. */
export interface WholeValidation extends Validation {
  results: KeptResult[]
  fileId: string | null
  index: RecordingIndex | null
}

export interface ValidationCounts {
  passed: number
  failed: number
  skipped: number
}

export interface ValidationStore {
  create(
    caller: Caller,
    validation: Pick<
      Validation,
      'id' | 'workspaceId' | 'projectId' | 'virtualUserId' | 'version' | 'iterations' | 'taskId' | 'expiresAt'
    >,
  ): Promise<Validation>
  find(caller: Caller, id: string): Promise<WholeValidation | undefined>
  /** The newest one of a virtual user. */
  findLatest(caller: Caller, virtualUserId: string): Promise<WholeValidation | undefined>
  /** The newest one of each of these virtual users that has any. */
  listLatest(caller: Caller, virtualUserIds: readonly string[]): Promise<Validation[]>
  /** Newest first, up to `limit + 1`. */
  list(caller: Caller, virtualUserId: string, page: PageRequest): Promise<Validation[]>
  /** The newest that have ended with exchanges, with what happened; newest first. */
  listWhole(caller: Caller, virtualUserId: string, limit: number): Promise<WholeValidation[]>
  /** Notes that it runs, and how far it is. Nothing happens when it has ended. */
  progress(
    caller: Caller,
    id: string,
    progress: ValidationCounts & { message: string; results: readonly KeptResult[] },
  ): Promise<void>
  /** Ends it; one that has ended stays as it is. */
  finish(
    caller: Caller,
    id: string,
    outcome: ValidationCounts & {
      state: Exclude<ValidationState, 'PENDING' | 'RUNNING'>
      message: string
      results: readonly KeptResult[]
      fileId: string | null
      index: RecordingIndex | null
    },
  ): Promise<void>
  /** Ends one of which no more will be told: what was told stays. One that has ended stays as it is. */
  giveUp(caller: Caller, id: string, end: { state: 'CANCELLED' | 'ERROR'; message: string }): Promise<void>
  /** Everything that was kept for it, also by attempts that did not come to an end. */
  listFiles(caller: Caller, id: string): Promise<{ id: string; storageKey: string }[]>
  /** Forgets files of it, whose bytes are gone. */
  removeFiles(caller: Caller, id: string, fileIds: readonly string[]): Promise<void>
  /** Removes it with its files, whose bytes are gone; false when there is none. */
  remove(caller: Caller, id: string): Promise<boolean>
}
