import type { SecurityAction } from '@flamegate/contract'
import type { AuditEvent } from './records.ts'

/** Where something came from. */
export type SecurityOrigin = Pick<AuditEvent, 'requestId' | 'ip' | 'userAgent'>

export interface SecurityEvent extends SecurityOrigin {
  action: SecurityAction
  /** Undefined for nobody that we know. */
  userId: string | undefined
  /** `ok`, or what was wrong: `wrong_password`, `wrong_code`, or the code of a problem. */
  outcome: string
  /** HTTP status of the answer. */
  status: number
  /** Whom it concerns besides the person: the admins of this workspace see it too. */
  workspaceId?: string | undefined
  /** The OAuth client that it is about, or that did it; the web pages when left out. */
  client?: { id: string; name: string } | undefined
  /** How whoever did it proved who they are; as a client, or by the session of the web pages, when left out. */
  via?: 'scim' | undefined
  /** Id of the thing it was about. */
  target?: string | undefined
}

/** Puts what is no operation into the same audit log, as `flamegate_auth`. */
export interface SecurityLog {
  /**
   * What was done is stored before this resolves; what was refused within a second, so that the time of an answer
   * says nothing.
   * @throws NotRecorded for what is not stored within five seconds
   */
  record(event: SecurityEvent): Promise<void>
}
