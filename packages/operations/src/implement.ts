import type { Caller, InputOf, Operation, OutputOf, Principal } from '@flamegate/contract'
import type { Send } from '@flamegate/doctor'
import type { CallLimits } from './limits/call-limits.ts'
import type {
  ArchiveLinks,
  Correlating,
  Guide,
  JobQueue,
  ObjectStorage,
  PostMessage,
  ProfileAnalysis,
  ProfileWriter,
  QueueDesk,
  Sealing,
  SendMail,
  SsoRules,
  Stores,
  TargetRules,
  VirtualUserWriter,
} from './ports/index.ts'

/** What operations are built on; made once at start. */
export interface Deps {
  stores: Stores
  queue: JobQueue
  queueDesk: QueueDesk
  storage: ObjectStorage
  archiveLinks: ArchiveLinks
  profileAnalysis: ProfileAnalysis
  profileWriter: ProfileWriter
  correlating: Correlating
  virtualUserWriter: VirtualUserWriter
  /** What `read_guide` gives, in the order in which it is listed. */
  guides: readonly Guide[]
  /** Where people reach the web UI, without a trailing slash. */
  publicUrl: string
  serverName: string
  /** E-mail addresses of the administrators of the installation, in lower case. */
  admins: readonly string[]
  /** How long a pushed profile is kept. */
  pushedProfileDays: number
  /** How long a validation is kept. */
  validationDays: number
  /** The guarded way out, for what a user's address answers. */
  send: Send
  /** What calls may use; undefined where they are not limited. */
  limits: CallLimits | undefined
  /** The guarded way out for messages to webhooks. */
  postMessage: PostMessage
  /** The mail server of the installation. */
  sendMail: SendMail
  sealing: Sealing
  /** Where virtual users may be aimed at. */
  targets: TargetRules
  sso: SsoRules
  /** Base URL of the API of the GitHub that is reported to. */
  githubApiUrl: string
  /** Keys the digests of arguments in the audit log. */
  auditKey: string
  /** A new random secret and its hex SHA-256, with a prefix that scanners know. */
  newSecret: () => { secret: string; hash: string }
}

/** What it takes to read something in somebody's name, in a call or in a job. */
export interface Reading {
  caller: Caller
  deps: Pick<Deps, 'stores'>
}

/** What a handler knows beside its input. */
export interface CallContext {
  caller: Caller
  principal: Principal
  deps: Deps
  operation: Operation
  requestId: string
  /** When it came in; what else is at work may keep it waiting. */
  calledAt: Date
  /** Calls another operation in the name of the same caller, with all that belongs to a call. */
  call: (operation: Operation, input: unknown) => Promise<Record<string, unknown>>
  /** Tells the audit log which workspace and thing the call is about; null: it is about the installation. */
  concerns: (workspaceId: string | null, targetId: string) => void
  /** Tells the audit log that there is nothing to record, as after a poll without news. Refusals are recorded all the same. */
  isUneventful: () => void
  /**
   * Counts the call against the limits of the workspace; before anything is done to it.
   * @throws Problem `rate_limited`
   */
  enterWorkspace: (workspaceId: string) => Promise<void> | undefined
}

export type Handler<O> = (input: InputOf<O>, context: CallContext) => Promise<OutputOf<O>>

/** An operation with its handler; types are kept by `implement` and forgotten here, so that all fit in one list. */
export interface Implementation {
  operation: Operation
  handle(input: Record<string, unknown>, context: CallContext): Promise<Record<string, unknown>>
}

/** `implement(definition)(handler)`: the handler is the happy path and the refusals, nothing else. */
export function implement<O extends Operation>(operation: O) {
  return (handler: Handler<O>): Implementation => ({ operation, handle: handler })
}
