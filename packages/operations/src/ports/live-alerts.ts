import type { alertTargets, Caller } from '@flamegate/contract'
import type { AlertLimits, AlertStreak, AlertType, LiveMoment, LiveSection } from '@flamegate/live'
import type { LiveApp, LiveSession, LiveSnapshot } from './live.ts'
import type { PageRequest } from './stores.ts'
import type { AlertState } from './watching.ts'

/** What is too much of programs that run and of MCP servers that are measured, and that they were beyond it. */

/** One of each type; null is off. As on the wire. */
export type AlertThresholds = {
  [Type in LiveAlertType]: (AlertLimits[Type] & { for_seconds: number }) | null
}
export type LiveAlertType = AlertType

export type AlertTarget = (typeof alertTargets)[number]

/** Thresholds of a project, or of one of its live apps or MCP targets; what is missing is not said there. */
export interface StoredAlertThresholds {
  workspaceId: string
  projectId: string
  targetKind: AlertTarget
  /** null: all of the kind in the project. */
  targetId: string | null
  thresholds: Partial<AlertThresholds>
}

export interface NewLiveAlert {
  type: LiveAlertType
  /** The function, the process or the operation; empty of all calls. */
  subject: string
  unit: 'percent' | 'bytes' | 'ns'
  value: number
  crossedLimit: number
  forSeconds: number
  reason: string
  /** By the clock of the program. */
  since: Date
}

export interface LiveAlert extends NewLiveAlert {
  id: string
  workspaceId: string
  projectId: string
  targetKind: AlertTarget
  targetId: string
  /** Name of the app or MCP target. */
  targetName: string
  /** Of an MCP target: in which it opened. */
  mcpSessionId: string | null
  /** null: it lasts. */
  until: Date | null
  /** `open` again when a muted one's time is over. */
  state: AlertState
  mutedUntil: Date | null
  /** E-mail of who changed the state last; null for nobody, or the platform itself. */
  stateBy: string | null
  stateReason: string
  stateAt: Date | null
  createdAt: Date
}

/** What it takes to judge an app. */
export interface WatchedApp {
  app: LiveApp
  thresholds: readonly StoredAlertThresholds[]
  /** The project does without alerts. */
  isOff: boolean
  streaks: Readonly<Partial<Record<LiveAlertType, AlertStreak>>>
  /** That have no end yet, whatever their state. */
  lasting: readonly Pick<LiveAlert, 'id' | 'type'>[]
}

/** What came of judging it. */
export interface JudgedApp {
  streaks: WatchedApp['streaks']
  opened: readonly NewLiveAlert[]
  closed: readonly { id: string; until: Date; reason: string }[]
}

/** A section of a process as it was told last, and as it was ten seconds or more before that. */
export interface ToldMoment {
  section: LiveSection
  session: Pick<LiveSession, 'program' | 'firstAt'>
  before: LiveSnapshot | undefined
  last: LiveMoment['last'] & { session: string }
}

export interface LiveAlertStore {
  find(caller: Caller, id: string): Promise<LiveAlert | undefined>
  /** Newest first. */
  list(
    caller: Caller,
    projectId: string,
    page: PageRequest,
    filter: { state?: AlertState; targetKind?: AlertTarget; targetId?: string },
  ): Promise<LiveAlert[]>
  changeState(
    caller: Caller,
    id: string,
    change: { state: AlertState; reason: string; mutedUntil?: Date },
  ): Promise<LiveAlert | undefined>
  /** Of a project and of all of its apps and MCP targets. */
  listThresholds(caller: Caller, projectId: string): Promise<StoredAlertThresholds[]>
  /** Those that are given, over those of the same target that are there; with `isReset` in place of them. */
  setThresholds(caller: Caller, change: StoredAlertThresholds & { isReset: boolean }): Promise<void>
  /** Alerts of a project that have no end yet. */
  listLasting(caller: Caller, projectId: string): Promise<Pick<LiveAlert, 'targetId' | 'type'>[]>
  /** What the processes told last that push; none of an app that was never pushed to. */
  told(
    caller: Caller,
    app: Pick<LiveApp, 'id' | 'workspaceId'>,
    sections: readonly LiveSection[],
  ): Promise<ToldMoment[]>
  /** Takes an app to be judged; undefined when somebody did a moment ago, or it is gone. */
  take(caller: Caller, app: Pick<LiveApp, 'id' | 'workspaceId'>): Promise<WatchedApp | undefined>
  /** Notes what came of it, and tells whoever wants to hear of it, in one transaction. */
  note(
    caller: Caller,
    app: Pick<LiveApp, 'id' | 'workspaceId' | 'projectId'>,
    judged: JudgedApp,
  ): Promise<void>
  /** What it takes to judge the report of an MCP target. */
  watchedMcpTarget(caller: Caller, target: McpTargetPlace): Promise<Omit<WatchedApp, 'app' | 'streaks'>>
  /** Notes what came of judging the report of a session, and tells whoever wants to hear of it, in one transaction. */
  noteMcpSession(
    caller: Caller,
    session: McpTargetPlace & { sessionId: string },
    judged: Omit<JudgedApp, 'streaks'>,
  ): Promise<void>
}

/** Where an MCP target is. */
export interface McpTargetPlace {
  id: string
  workspaceId: string
  projectId: string
}
