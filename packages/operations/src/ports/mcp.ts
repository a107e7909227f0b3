import type { Caller, McpFigures, McpMeasurement, McpSessionShape, McpTargetShape } from '@flamegate/contract'
import type { TaskStatus } from './records.ts'
import type { PageRequest } from './stores.ts'

/** MCP servers that are measured, and what was measured of them. */

/** How often a target is measured, and how long sessions are kept. */
export interface McpMonitor {
  intervalSeconds: number
  retentionHours: number
  /** Of each session. */
  seconds: number
}

export interface McpTarget extends Pick<
  McpTargetShape,
  'id' | 'name' | 'address' | 'transport' | 'operations' | 'arguments' | 'note'
> {
  workspaceId: string
  projectId: string
  monitor: McpMonitor | null
  monitorNextAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** With what is told of it in lists. */
export interface McpTargetWithLast extends McpTarget {
  /** Those that have a report. */
  sessions: number
  /** Alerts that last. */
  alerts: number
  last: { id: string; startedAt: Date; command: string; figures: McpFigures } | null
}

export interface McpSession extends Pick<
  McpSessionShape,
  'id' | 'target' | 'command' | 'label' | 'origin' | 'message' | 'collector'
> {
  workspaceId: string
  projectId: string
  mcpTargetId: string
  measurement: McpMeasurement | null
  taskId: string | null
  collectorId: string | null
  /** SUCCESS: it left something behind. */
  status: TaskStatus
  serverVersion: string | null
  startedAt: Date | null
  figures: McpFigures | null
  profileIds: string[]
  sizeBytes: number
  createdBy: string
  createdAt: Date
  expiresAt: Date | null
}

/** A session that a collector is to measure. */
export type NewMcpOrder = Pick<
  McpSession,
  'id' | 'workspaceId' | 'projectId' | 'mcpTargetId' | 'label' | 'origin' | 'expiresAt'
> & { measurement: McpMeasurement; taskId: string; collectorId: string; collector: string }

/** What a measurement left behind: JSON of the report, and what the command found beside it or in its place; else null. */
export interface McpLeft {
  report: Record<string, unknown> | null
  result: Record<string, unknown> | null
}

/** What is kept of a report beside it. */
export type McpReported = McpLeft & {
  startedAt: Date
  serverVersion: string | null
  /** Null where there is no report. */
  figures: McpFigures | null
  profileIds: string[]
}

export interface McpBounds {
  targetsOfProjectMax: number
  sessionsOfTargetMax: number
  bytesOfWorkspaceMax: number
}

/** Why a report was not stored. */
export type McpRefusal =
  | { refused: 'too_many_sessions' }
  | { refused: 'too_large'; neededBytes: number; keptBytes: number }
  | { refused: 'ended' }

export interface McpStore {
  /** By name, with what was measured last. */
  listTargets(caller: Caller, projectId: string): Promise<McpTargetWithLast[]>
  findTarget(caller: Caller, id: string): Promise<McpTargetWithLast | undefined>
  /** Of a project: by its name, else by its address. */
  findTargetNamed(
    caller: Caller,
    projectId: string,
    named: { name: string; address: string | null },
  ): Promise<McpTarget | undefined>
  /** Undefined when the project has so many that there is no place for another. A name that is taken throws `Conflict`. */
  addTarget(
    caller: Caller,
    target: Omit<McpTarget, 'monitor' | 'monitorNextAt' | 'createdAt' | 'updatedAt'>,
    bounds: McpBounds,
  ): Promise<McpTarget | undefined>
  /** Changes what is given. A name that is taken throws `Conflict`. */
  updateTarget(
    caller: Caller,
    id: string,
    change: Partial<
      Pick<McpTarget, 'name' | 'address' | 'transport' | 'operations' | 'arguments' | 'note' | 'monitor'>
    >,
  ): Promise<void>
  /** With all sessions and alerts. */
  removeTarget(caller: Caller, id: string): Promise<void>
  /**
   * Targets of a project with one of these names of which the monitor is due, and that no session of the monitor waits for. Sets
   * when each is due next, so that each comes once.
   */
  takeDue(
    caller: Caller,
    project: { id: string; workspaceId: string },
    names: readonly string[],
  ): Promise<McpTarget[]>

  /** Newest first, without those that are past their time. */
  listSessions(
    caller: Caller,
    projectId: string,
    page: PageRequest,
    filter: { mcpTargetId?: string },
  ): Promise<McpSession[]>
  findSession(caller: Caller, id: string): Promise<McpSession | undefined>
  /** Of a target, those that have a report, the one that was measured last first; without those that are past their time. */
  reported(
    caller: Caller,
    mcpTargetId: string,
    filter: { limit: number; command?: string; label?: string; notAfter?: Date; before?: Date },
  ): Promise<McpSession[]>
  report(caller: Caller, sessionId: string): Promise<McpLeft | undefined>
  order(caller: Caller, order: NewMcpOrder, bounds: McpBounds): Promise<McpRefusal | undefined>
  /** The oldest of a collector that was not taken, and whose task waits. */
  nextOrder(
    caller: Caller,
    collectorId: string,
  ): Promise<{ id: string; taskId: string; server: string; measurement: McpMeasurement } | undefined>
  /** True for the first who takes it. */
  takeOrder(caller: Caller, id: string): Promise<boolean>
  /** Stores the report of a session that was asked for, once. */
  keepReport(
    caller: Caller,
    session: Pick<McpSession, 'id' | 'workspaceId'>,
    reported: McpReported,
    bounds: McpBounds,
  ): Promise<McpRefusal | undefined>
  /** Stores a session with its report. */
  addSession(
    caller: Caller,
    session: Pick<
      McpSession,
      'id' | 'workspaceId' | 'projectId' | 'mcpTargetId' | 'command' | 'label' | 'expiresAt'
    >,
    reported: McpReported,
    bounds: McpBounds,
  ): Promise<McpRefusal | undefined>
  removeSession(caller: Caller, id: string): Promise<boolean>
  countBytes(caller: Caller, workspaceId: string): Promise<number>
}
