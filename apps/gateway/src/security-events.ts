import { addressKey } from '@flamegate/auth'
import { Problem, type SecurityAction } from '@flamegate/contract'
import { NotRecorded, type IdentityStore, type SecurityEvent } from '@flamegate/operations/ports'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { countAttempts, rate } from './accounts/counted-attempts.ts'

/** What a route knows of its event, beside who sent what and how it ended. */
export interface SecurityNotes extends Partial<
  Pick<SecurityEvent, 'action' | 'userId' | 'client' | 'target'>
> {
  /** Stands for the person, where nobody has proved yet that it is theirs. */
  email?: string
  /** What else was done by the same request. */
  also?: readonly SecurityAction[]
  /** Where the status does not tell it. */
  outcome?: string
  /** The workspaces that it names: the admins of each see it. */
  workspaceIds?: readonly string[] | undefined
}

/** What is recorded of a route. */
export interface RecordedRoute {
  action: SecurityAction
  /** Better words for some outcomes, by the code of the problem or the status. */
  outcomes?: Readonly<Record<string, string>>
  /** Also when it is not known who it was; everything else needs somebody who is logged in. */
  ofAnybody?: true
}

const notes = new WeakMap<FastifyRequest, SecurityNotes>()

/** Adds to the event that will be recorded for this request. */
export function noteSecurity(request: FastifyRequest, more: SecurityNotes): void {
  notes.set(request, { ...notes.get(request), ...more })
}

/**
 * Refusals of one kind that are recorded per client address: as many as there can be log-ins. What is more was refused
 * before anything was looked at, and would only let strangers fill the log, from which nothing is removed.
 */
const recordedRefusals = rate(100, 900_000)

/**
 * Records the answers of these routes (`POST /auth/log-in`) in the audit log, what was done before it is answered.
 */
export function recordSecurity(
  app: FastifyInstance,
  identity: Pick<IdentityStore, 'accounts' | 'findUserByEmail' | 'securityLog'>,
  routes: Readonly<Record<string, RecordedRoute>>,
): void {
  const problems = new WeakMap<FastifyRequest, string>()
  const recorded = new WeakSet<FastifyRequest>()
  const refusals = countAttempts(identity.accounts.attempts, 'recordedRefusals', recordedRefusals)

  app.addHook('onError', async (request, _reply, error) => {
    problems.set(request, codeOf(error))
  })
  app.addHook('onSend', async (request, { statusCode }) => {
    const route = routes[`${request.method} ${request.routeOptions.url}`]
    // An answer that says that the event could not be recorded is none to record.
    if (route === undefined || recorded.has(request)) return
    recorded.add(request)
    const noted = notes.get(request) ?? {}
    const { action = route.action, also = [], email, workspaceIds = [], target, client } = noted
    const code = problems.get(request)
    const outcome = noted.outcome ?? route.outcomes?.[code ?? statusCode] ?? code ?? 'ok'
    const status = outcomeStatus(statusCode, outcome)
    const kind = `${addressKey(request.ip)} ${action} ${outcome}`
    if (status >= 400 && !(await refusals.tryCount(kind))) return
    const userId =
      noted.userId ?? (email === undefined ? undefined : (await identity.findUserByEmail(email))?.id)
    if (userId === undefined && route.ofAnybody !== true) return
    const event = { userId, outcome, status, target, client, ...originOf(request) }
    await record(identity, [action, ...also], workspaceIds, event)
  })
}

/** Records what was done for a request that is not answered here, with what was noted of it. */
export async function recordSecurityNow(
  request: FastifyRequest,
  identity: Pick<IdentityStore, 'securityLog'>,
  action: SecurityAction,
): Promise<void> {
  const { userId, target, client, workspaceIds = [] } = notes.get(request) ?? {}
  const event = { userId, outcome: 'ok', status: 200, target, client, ...originOf(request) }
  await record(identity, [action], workspaceIds, event)
}

async function record(
  { securityLog }: Pick<IdentityStore, 'securityLog'>,
  actions: readonly SecurityAction[],
  workspaceIds: readonly string[],
  event: Omit<SecurityEvent, 'action' | 'workspaceId'>,
): Promise<void> {
  const places = workspaceIds.length === 0 ? [undefined] : workspaceIds
  const events = actions.flatMap((action) => places.map((workspaceId) => ({ ...event, action, workspaceId })))
  try {
    await Promise.all(events.map((each) => securityLog.record(each)))
  } catch (cause) {
    if (!(cause instanceof NotRecorded)) throw cause
    throw new Problem('unavailable', 'That could not be recorded yet. Look before you try again.', { cause })
  }
}

/** What was thrown that is no problem is what Fastify could not read, or a defect. */
function codeOf(error: FastifyError): string {
  if (error instanceof Problem) return error.code
  return (error.statusCode ?? 500) < 500 ? 'malformed_request' : 'internal'
}

/** A page that is sent elsewhere with a refusal was refused all the same. */
function outcomeStatus(status: number, outcome: string): number {
  return status >= 300 && status < 400 && outcome !== 'ok' && outcome !== 'code_needed' ? 403 : status
}

const longestUserAgent = 300

/** Where a request came from. */
export function originOf({ id, ip, headers }: Pick<FastifyRequest, 'id' | 'ip' | 'headers'>) {
  return { requestId: id, ip, userAgent: headers['user-agent']?.slice(0, longestUserAgent) ?? null }
}
