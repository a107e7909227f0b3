import type { PreparedRequest } from '../session/wire.ts'

/** What is asked of the server again and again. */
export interface PlannedOperation {
  method: string
  /** Tool, URI or prompt; null of methods that have none. */
  name: string | null
  /** One or more that are taken in turns, with other arguments each. */
  requests: readonly [PreparedRequest, ...PreparedRequest[]]
}
