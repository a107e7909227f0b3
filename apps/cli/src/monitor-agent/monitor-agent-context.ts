import type { Client } from '@flamegate/client'
import type { operations, OutputOf } from '@flamegate/contract'

/** What an agent that collects works with. */
export interface MonitorAgentContext {
  client: Client
  workspaceId: string
  name: string
  agentGroup: string
  version: string
  /** Ends it, after what it collects has been told. */
  interruption: AbortSignal
  log: (text: string) => void
}

/** What it is to collect or to check. */
export type MonitorLease = OutputOf<typeof operations.awaitMonitoring>['leases'][number]

/** Why something could not be read. */
export function wordsOf(error: unknown): string {
  // Of a name with many addresses there is an error for each, and no words for all.
  const [first]: unknown[] = error instanceof AggregateError ? error.errors : []
  const words = error instanceof Error ? error.message || wordsOf(first ?? error.name) : String(error)
  return words.slice(0, 1000)
}
