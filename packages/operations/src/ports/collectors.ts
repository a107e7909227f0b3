import type { Caller, CaptureKind, CaptureType, McpCommand, mcpTransports } from '@flamegate/contract'

/** What a collector may run. Where it leads to is known to the collector alone. */
export interface OfferedCapture {
  name: string
  kind: CaptureKind
  types: CaptureType[]
  secondsMax: number
  description?: string
}

/** An MCP server that a collector may measure. Where it leads to is known to the collector alone. */
export interface OfferedMcpServer {
  name: string
  transport: (typeof mcpTransports)[number]
  commands: McpCommand[]
  /** Tools that may be called; none: those that say that they only read. */
  operations: string[]
  secondsMax: number
  rpsMax: number
  concurrentMax: number
  /** Environment variables that may be tried. */
  settings: string[]
  description?: string
}

/** `flamegate agent --collect`, as it said of itself when it was last seen. */
export interface Collector {
  id: string
  workspaceId: string
  projectId: string
  name: string
  version: string
  captures: OfferedCapture[]
  mcpServers: OfferedMcpServer[]
  lastSeenAt: Date
}

/** What a collector is asked to do. */
export interface CaptureOrder {
  /** The task that ends with it. */
  taskId: string
  workspaceId: string
  projectId: string
  collectorId: string
  /** Of one that the collector may run. */
  name: string
  type: CaptureType
  /** Null: as long as the collector has it. */
  seconds: number | null
}

export interface CollectorStore {
  /** Those that were seen within the last week, by name. */
  list(caller: Caller, projectId: string): Promise<Collector[]>
  find(caller: Caller, id: string): Promise<Collector | undefined>
  /**
   * Notes that a collector is there, and what it may run; a project has one of a name. Those that were not seen for a
   * week are forgotten. Undefined when the project has so many that there is no place for another.
   */
  connect(
    caller: Caller,
    collector: Pick<
      Collector,
      'id' | 'workspaceId' | 'projectId' | 'name' | 'version' | 'captures' | 'mcpServers'
    >,
  ): Promise<Collector | undefined>
  order(caller: Caller, order: CaptureOrder): Promise<void>
  findOrder(caller: Caller, taskId: string): Promise<CaptureOrder | undefined>
  /** The oldest that was not started, and whose task waits. */
  nextOrder(caller: Caller, collectorId: string): Promise<CaptureOrder | undefined>
  /** True for the first who starts it. */
  start(caller: Caller, taskId: string): Promise<boolean>
}
