import type { Client } from '@flamegate/client'
import { operations } from '@flamegate/contract'
import type { Terminal } from '../terminal.ts'
import type { AllowList } from './allow-list.ts'

/** What a collector works with. */
export interface CollectorContext {
  /** Each of its calls is tried once. */
  client: Client
  /** Its calls are made again where that can help. */
  patient: Client
  terminal: Terminal
  projectId: string
  version: string
  allowList: AllowList
  /** Ends it, after it has cleaned up behind itself. */
  interruption: AbortSignal
  log: (text: string) => void
}

/** Says that it is there, and what it may run. @returns its id */
export async function connect({ client, projectId, version, allowList }: CollectorContext): Promise<string> {
  const { collector_id: id } = await client.call(operations.connectCollector, {
    project_id: projectId,
    name: allowList.name,
    version,
    captures: allowList.captures.map(({ name, kind, types, secondsMax, description }) => ({
      name,
      kind,
      types: [...types],
      seconds_max: secondsMax,
      ...(description === undefined ? {} : { description }),
    })),
  })
  return id
}
