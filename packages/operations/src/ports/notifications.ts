import type { Caller, operations, OutputOf } from '@flamegate/contract'
import type { PageRequest } from './stores.ts'

/** How others are told of what happens: webhooks, notifications of load tests, reports to GitHub, badges. */

export type WebhookEvent = OutputOf<typeof operations.setWebhook>['webhook']['events'][number]

type NotificationOnWire = OutputOf<typeof operations.setNotification>['notification']
export type NotificationChannel = NotificationOnWire['channel']
export type NotificationEvent = NotificationOnWire['events'][number]
/** Of a program that runs. */
export type LiveAlertEvent = Extract<NotificationEvent, `live_alert_${string}`>
/** Of a load test. */
export type RunEvent = Exclude<NotificationEvent, LiveAlertEvent>
/** Of which runs. As on the wire. */
export type NotificationFilter = NotificationOnWire['filter']

/** What may be shown of where messages of a channel go. As it is stored. */
export interface NotificationTarget {
  /** Of e-mail. */
  addresses?: string[] | undefined
  /** Of `http`, as it lay there before addresses were sealed, until it is sealed. */
  url?: string | undefined
  /** Host of an address, which is a secret. */
  host?: string | undefined
  jira?: NonNullable<NotificationOnWire['jira']> | undefined
}

/** Who is told of load tests of a workspace. */
export interface Notification {
  id: string
  workspaceId: string
  /** Unique in the workspace. */
  name: string
  channel: NotificationChannel
  target: NotificationTarget
  /** Sealed about the notification's id: an address, a token, or the key that signs; null: there is none. */
  sealedSecret: string | null
  /** Of `http`: the address, sealed about the notification's id. */
  sealedUrl: string | null
  events: NotificationEvent[]
  filter: NotificationFilter
  isActive: boolean
  /** Since when nothing was delivered. */
  failingSince: Date | null
  /** Why it was switched off by itself; empty when it was not. */
  offReason: string
  createdAt: Date
}

export interface NotificationStore {
  /** By name. */
  list(caller: Caller, workspaceId: string): Promise<Notification[]>
  find(caller: Caller, id: string): Promise<Notification | undefined>
  /** @throws Conflict `name` */
  create(
    caller: Caller,
    notification: Omit<Notification, 'failingSince' | 'offReason' | 'createdAt'>,
  ): Promise<Notification>
  /** Undefined when it is gone. */
  update(
    caller: Caller,
    id: string,
    change: Partial<Omit<Notification, 'id' | 'workspaceId' | 'name' | 'createdAt'>>,
  ): Promise<Notification | undefined>
  remove(caller: Caller, id: string): Promise<boolean>
}

/** What filters of notifications look at. */
export interface RunFacts {
  projectId: string
  scenarioName: string
  durationMs: number
  usersMax: number
}

/** Whether a filter lets a run through. */
export function letsThrough(filter: NotificationFilter, run: RunFacts): boolean {
  const {
    scenario_name: name,
    duration_ms_min: durationMsMin,
    users_min: usersMin,
    project_id: projectId,
  } = filter
  return (
    (projectId === null || projectId === run.projectId) &&
    (durationMsMin === null || run.durationMs >= durationMsMin) &&
    (usersMin === null || run.usersMax >= usersMin) &&
    (name === null || matches(run.scenarioName, name))
  )
}

function matches(name: string, { text, match }: NonNullable<NotificationFilter['scenario_name']>): boolean {
  switch (match) {
    case 'equals':
      return name === text
    case 'contains':
      return name.includes(text)
    case 'starts_with':
      return name.startsWith(text)
    default:
      return name.endsWith(text)
  }
}

export interface Webhook {
  id: string
  workspaceId: string
  projectId: string
  /** What may be shown of the address. */
  host: string
  /** The address, sealed about the webhook's id. Null while it is `plainUrl`. */
  sealedUrl: string | null
  /** The address as it lay there before addresses were sealed, until it is sealed. */
  plainUrl: string | null
  events: WebhookEvent[]
  isActive: boolean
  /** Sealed about the webhook's id. */
  sealedSecret: string
  /** The one before, with which messages are signed as well until then. */
  sealedPreviousSecret: string | null
  previousSecretUntil: Date | null
  /** Since when nothing was delivered. */
  failingSince: Date | null
  /** Why it was switched off by itself; empty when it was not. */
  offReason: string
  createdAt: Date
}

export interface WebhookStore {
  /** Oldest first. */
  list(caller: Caller, projectId: string): Promise<Webhook[]>
  find(caller: Caller, id: string): Promise<Webhook | undefined>
  create(
    caller: Caller,
    webhook: Pick<
      Webhook,
      'id' | 'workspaceId' | 'projectId' | 'host' | 'events' | 'isActive' | 'sealedSecret'
    > & { sealedUrl: string },
  ): Promise<Webhook>
  /** Undefined when it is gone. */
  update(
    caller: Caller,
    id: string,
    change: Partial<
      Pick<
        Webhook,
        | 'events'
        | 'isActive'
        | 'sealedSecret'
        | 'sealedPreviousSecret'
        | 'previousSecretUntil'
        | 'failingSince'
        | 'offReason'
      >
    > & { address?: { host: string; sealedUrl: string } },
  ): Promise<Webhook | undefined>
  remove(caller: Caller, id: string): Promise<boolean>
}

/** What a project's runs of pull requests are reported to GitHub with. */
export interface GithubReport {
  workspaceId: string
  projectId: string
  /** Sealed about the project's id. */
  sealedToken: string
  setsStatus: boolean
  comments: boolean
}

export interface GithubReportStore {
  find(caller: Caller, projectId: string): Promise<GithubReport | undefined>
  set(caller: Caller, report: GithubReport): Promise<void>
  remove(caller: Caller, place: { workspaceId: string; projectId: string }): Promise<void>
}

/** A message of the outbox. */
export interface Delivery {
  id: string
  workspaceId: string
  projectId: string
  webhookId: string | null
  /** With both null: a report to GitHub. */
  notificationId: string | null
  event: WebhookEvent | NotificationEvent
  /** Of the alerts, or the run, that it tells of. */
  subjectIds: string[]
  /** Null until the first attempt. */
  body: string | null
  attempts: number
  /** Null: there is no further attempt. */
  nextAt: Date | null
  attemptedAt: Date | null
  deliveredAt: Date | null
  responseStatus: number | null
  responseExcerpt: string
  durationMs: number | null
  createdAt: Date
}

/** What became of one attempt. */
export interface AttemptOutcome {
  wasDelivered: boolean
  /** Null when nothing answered. */
  responseStatus: number | null
  responseExcerpt: string
  durationMs: number
  /** How long the other side asks to be left alone. */
  retryAfterSeconds?: number | undefined
}

/**
 * Messages get in here by what they tell of, in the same transaction (`AlertStore.raise` and `changeState`, `LiveAlertStore.note`,
 * `RunStore.complete`, `BenchRunStore.change`), so that what was undone is never told, and what was not is never forgotten.
 */
export interface DeliveryStore {
  find(caller: Caller, id: string): Promise<Delivery | undefined>
  /** Of a notification, or of all else of a project. Newest first. */
  list(
    caller: Caller,
    of: { projectId: string; webhookId?: string | undefined } | { notificationId: string },
    page: PageRequest,
  ): Promise<Delivery[]>
  /**
   * Takes a message that is due for one more attempt, and says when the next one would be (null: never), which counts
   * when nothing is heard of this one. Undefined when it is not due, or another worker was faster.
   */
  take(caller: Caller, delivery: Delivery, nextAt: Date | null): Promise<Delivery | undefined>
  /** Keeps the body for all further attempts. */
  keepBody(caller: Caller, id: string, body: string): Promise<void>
  /**
   * Notes how an attempt went: what was delivered is not due any more, and what was not is not due before the other side
   * wants it again.
   */
  noteOutcome(caller: Caller, id: string, outcome: AttemptOutcome): Promise<void>
  /** There will be no further attempt, for this reason. */
  giveUp(caller: Caller, id: string, reason: string): Promise<void>
  /** Makes it due now, as if it had never been tried. Undefined when it is gone. */
  repeat(caller: Caller, id: string): Promise<Delivery | undefined>
}

export interface BadgeStore {
  /** The token in the address of the project's badge. */
  find(caller: Caller, projectId: string): Promise<string | undefined>
  set(caller: Caller, place: { workspaceId: string; projectId: string }, token: string): Promise<void>
  remove(caller: Caller, place: { workspaceId: string; projectId: string }): Promise<void>
  /** Whose badge it is; for whoever has its address. */
  findPlace(token: string): Promise<{ workspaceId: string; projectId: string } | undefined>
}

/** The guarded way out for messages to addresses that users give. Answers also when nobody did; follows no redirects. */
export type PostMessage = (
  url: string,
  message: { headers: Readonly<Record<string, string>>; body: string },
) => Promise<AttemptOutcome>

/** Sends a short letter in plain text through the mail server of the installation. Answers also when that did not take it. */
export type SendMail = (mail: {
  to: readonly string[]
  subject: string
  text: string
}) => Promise<AttemptOutcome>

/** The REST API of the one GitHub that the installation reports to. */
export interface GithubApi {
  /** Without a trailing slash. */
  url: string
  /** @throws Error when it cannot be reached or does not answer in time */
  request(call: {
    method: 'GET' | 'POST' | 'PATCH'
    /** With its leading slash. */
    path: string
    token: string
    body?: Record<string, unknown>
  }): Promise<{ status: number; body: unknown; retryAfterSeconds?: number | undefined }>
}
