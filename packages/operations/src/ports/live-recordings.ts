import type { Caller } from '@flamegate/contract'
import type { LiveSection } from '@flamegate/live'
import type { LiveTold } from './live.ts'
import type { PageRequest } from './stores.ts'

/** A time of a live app that was kept: its snapshots then, fewer of them, and no logs. It stays when the app is deleted. */
export interface LiveRecording {
  id: string
  workspaceId: string
  projectId: string
  liveAppId: string
  /** Name of the app when the recording was made. */
  app: string
  name: string
  note: string | null
  from: Date
  to: Date
  processes: number
  /** What it tells of. */
  sections: LiveSection[]
  /** Of its snapshots, as they are stored. */
  sizeBytes: number
  /** Id of the user. */
  createdBy: string
  createdAt: Date
}

/** What there may be of recordings. */
export interface LiveRecordingBounds {
  recordingsOfProjectMax: number
  bytesOfWorkspaceMax: number
}

/** Why nothing was kept. */
export type LiveRecordingRefusal =
  | { refused: 'nothing_told' }
  | { refused: 'too_many' }
  | { refused: 'too_large'; neededBytes: number; keptBytes: number }

export interface LiveRecordingStore extends LiveTold {
  /** Copies what there is of that time of the app. */
  pin: (
    caller: Caller,
    recording: Pick<
      LiveRecording,
      'id' | 'workspaceId' | 'projectId' | 'liveAppId' | 'app' | 'name' | 'note' | 'from' | 'to'
    >,
    bounds: LiveRecordingBounds,
  ) => Promise<LiveRecording | LiveRecordingRefusal>
  /** The newest first. */
  list: (
    caller: Caller,
    projectId: string,
    page: PageRequest,
    filter: { liveAppId: string | undefined },
  ) => Promise<LiveRecording[]>
  find: (caller: Caller, id: string) => Promise<LiveRecording | undefined>
  /** False when there was none. */
  remove: (caller: Caller, id: string) => Promise<boolean>
}
