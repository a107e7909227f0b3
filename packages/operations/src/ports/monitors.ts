import type { Caller } from '@flamegate/contract'

/** A process that collects: `flamegate monitor --group`. */
export interface MonitorAgent {
  workspaceId: string
  /** Unique in the workspace. */
  name: string
  agentGroup: string
  version: string
  lastSeenAt: Date
}

/** A counter as a check found it. As on the wire. */
export interface SeenCounter {
  name: string
  unit: string
  /** Null: it only rises, and was seen once. */
  value: number | null
  /** Whether the monitor keeps it in runs. */
  is_kept: boolean
}

/** What is known of a monitor. */
export interface MonitorState {
  monitorId: string
  /** Of the last check. */
  checkedAt: Date | null
  /** The first of them. */
  counters: SeenCounter[]
  counterCount: number
  /** Of the last check or run; null: never yet. */
  seenAt: Date | null
  agent: string
  isReachable: boolean | null
  message: string
}

/** What an agent is to do with a monitor: to collect it in a run, or, without one, to check it. */
export interface MonitorLease {
  monitorId: string
  projectId: string
  document: Record<string, unknown>
  sealedSecret: string | null
  run: {
    benchResultId: string
    startedAt: Date
    /** Grows when another agent takes over. */
    lease: number
    /** Of the last batch that was stored; -1: none. */
    lastSequence: number
  } | null
}

/** A monitor in a run, as it was when it began. */
export interface MonitoredRun {
  monitorId: string
  document: Record<string, unknown>
}

/** How an agent found a monitor. */
export interface MonitorSighting {
  agent: string
  isReachable: boolean
  message: string
}

/** A batch of values, by the minutes of the run that they are in: makes the minute of what is stored of it already. */
export interface MonitorBatch {
  sequence: number
  minutes: ReadonlyMap<number, (stored: Uint8Array | undefined) => Uint8Array>
}

/** Monitors at work; what they are is in `DesignStore`. */
export interface MonitorStore {
  /** Notes that an agent is there. Those that were not seen for a week are forgotten. */
  noteAgent(caller: Caller, agent: Omit<MonitorAgent, 'lastSeenAt'>): Promise<void>
  /** Those that were seen within the last week, by group and name. */
  listAgents(caller: Caller, workspaceId: string): Promise<MonitorAgent[]>
  /** Gives monitors of a group that are to be checked, or to be collected in a run, to an agent; each to one. */
  lease(
    caller: Caller,
    agent: Pick<MonitorAgent, 'workspaceId' | 'name' | 'agentGroup'>,
  ): Promise<MonitorLease[]>
  /** Wants a monitor checked; gives the time from which an answer counts. */
  askCheck(caller: Caller, monitor: { workspaceId: string; projectId: string; id: string }): Promise<Date>
  /** What a check found. */
  noteCheck(
    caller: Caller,
    monitor: { workspaceId: string; projectId: string; id: string },
    found: MonitorSighting & Pick<MonitorState, 'counters' | 'counterCount'>,
  ): Promise<void>
  findState(caller: Caller, monitorId: string): Promise<MonitorState | undefined>
  /** Of all monitors of a project that an agent has seen. */
  listStates(caller: Caller, projectId: string): Promise<MonitorState[]>
  /**
   * Notes that an agent is at it in a run, and stores batches, each once. False when it is not that agent's any more, and
   * nothing was stored.
   */
  append(
    caller: Caller,
    place: { benchResultId: string; monitorId: string; lease: number },
    report: MonitorSighting & { batches: readonly MonitorBatch[] },
  ): Promise<boolean>
  /** Monitors of a run, by id. */
  listRun(caller: Caller, benchResultId: string): Promise<MonitoredRun[]>
  /** Minutes of a monitor in a run, from one up to another without it. */
  readMinutes(
    caller: Caller,
    place: { benchResultId: string; monitorId: string },
    minutes: { from: number; to: number },
  ): Promise<Uint8Array[]>
}
