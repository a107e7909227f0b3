import type { LiveItem, LiveLog, LiveProgram, LiveSection, ReceivedLivePush } from '@flamegate/live'
import type { Caller } from '@flamegate/contract'

/** A program, or several processes of it, that tell how they are doing. */
export interface LiveApp {
  id: string
  workspaceId: string
  projectId: string
  name: string
  createdAt: Date
  /** Of the last push; null before the first. */
  lastPushAt: Date | null
  /** It was ended, or was silent for too long; a push opens it again. */
  endedAt: Date | null
  sizeBytes: number
}

/** One run of one program. */
export interface LiveSession {
  session: string
  program: LiveProgram | null
  firstAt: Date
  lastAt: Date
  /** Status of each section in the last push that told it. */
  sections: Readonly<
    Partial<
      Record<
        LiveSection,
        { status: 'on' | 'off' | 'failed'; reason?: string | undefined; leftOut?: number | undefined }
      >
    >
  >
}

/** A section of a session at a moment: all its items, as they stood then. */
export interface LiveSnapshot {
  session: string
  at: Date
  items: readonly LiveItem[]
}

/** What an app may keep. */
export interface LiveBounds {
  /** Of its snapshots and logs, as they are stored; the oldest go first, of those sections that have most. */
  bytesMax: number
  /** What was told longer ago than this is gone. */
  keptForMs: number
}

/** So many pushes wait that no more are taken in; nothing was stored. */
export class LiveBusy extends Error {}

/** The app was deleted while a push of it was stored; nothing was stored. */
export class LiveAppGone extends Error {}

/** What was told: of a live app, or of a recording, by its id. */
export interface LiveTold {
  /** Sessions that overlap the time, the newest first. */
  sessions: (caller: Caller, id: string, span: LiveSpan) => Promise<LiveSession[]>
  /**
   * Of each session that overlaps the time: the last snapshot of a section at or before its end, and the last one at or before its
   * beginning, where there is one. What happened between is the difference; a session that began within has all of it.
   */
  moments: (
    caller: Caller,
    id: string,
    section: LiveSection,
    span: LiveSpan,
  ) => Promise<{ before: LiveSnapshot | undefined; last: LiveSnapshot }[]>
  /** Snapshots of a section in the time, rising, thinned to at most so many of each session: for sparklines and what grows steadily. */
  history: (
    caller: Caller,
    id: string,
    section: LiveSection,
    span: LiveSpan,
    snapshotsMax: number,
  ) => Promise<LiveSnapshot[]>
}

export interface LiveStore extends LiveTold {
  /** Those that were pushed to last come first. */
  list: (caller: Caller, projectId: string) => Promise<(LiveApp & { newest: LiveSession | null })[]>
  find: (caller: Caller, id: string) => Promise<LiveApp | undefined>
  /**
   * Makes an app, or finds the one of that name in the project.
   * @returns undefined when the project has `appsMax` others
   */
  register: (
    caller: Caller,
    app: Pick<LiveApp, 'id' | 'workspaceId' | 'projectId' | 'name'>,
    appsMax: number,
  ) => Promise<LiveApp | undefined>
  /** What all apps of a workspace keep, and all its recordings. */
  countBytes: (caller: Caller, workspaceId: string) => Promise<{ apps: number; recordings: number }>
  /** Undefined when there is none. One that has ended stays as it is. */
  end: (caller: Caller, id: string) => Promise<LiveApp | undefined>
  /** With all that it told, and its tokens. False when there was none. */
  remove: (caller: Caller, id: string) => Promise<boolean>
  /** The newest entries of one item's log, or of all items of the section; in pieces as they were pushed, the newest piece first. */
  logs: (
    caller: Caller,
    appId: string,
    section: LiveSection,
    wanted: { session?: string; item?: string; span: LiveSpan; entriesMax: number },
  ) => Promise<(LiveLog & { session: string })[]>
  /**
   * Stores a push, once, in one transaction. `make` gets the last snapshots of the session, and its last sequence (-1 before the
   * first), under a lock: for who pushes what happened since and not how it stands. Such a push has no number of its own; with an
   * `identity` it is known when it comes again, as long as it is among the last 128 of its session.
   * @returns `duplicate` when that sequence, or a later one of the session, was there already
   * @throws LiveBusy, LiveAppGone
   */
  push: (
    caller: Caller,
    app: LiveApp,
    push:
      | ReceivedLivePush
      | {
          session: string
          identity?: string | undefined
          make: (before: ReadonlyMap<LiveSection, LiveSnapshot>, lastSequence: number) => ReceivedLivePush
        },
  ) => Promise<'stored' | 'duplicate'>
  /** Drops what is beyond so many bytes, and a little more, so that not every push has to. */
  trim: (caller: Caller, app: Pick<LiveApp, 'id' | 'workspaceId'>, bytesMax: number) => Promise<void>
  /** Ends an app that is silent, thins snapshots that are older, and drops what is too old or too much. Gives how many rows were too old. */
  sweep: (caller: Caller, app: Pick<LiveApp, 'id' | 'workspaceId'>, bounds: LiveBounds) => Promise<number>
  /** How many rows are too old. */
  countOld: (
    caller: Caller,
    app: Pick<LiveApp, 'id' | 'workspaceId'>,
    bounds: Pick<LiveBounds, 'keptForMs'>,
  ) => Promise<number>
}

/** Both included; open where undefined. */
export interface LiveSpan {
  from?: Date | undefined
  to?: Date | undefined
}
