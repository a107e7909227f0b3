import {
  allows,
  answerJson,
  catalogue,
  connectionLimit,
  newId,
  operations,
  Problem,
  roleAtLeast,
  type Caller,
  type LimitState,
  type Operation,
  type Principal,
  type Role,
} from '@flamegate/contract'
import { createArgumentsDigest } from './audit/arguments-digest.ts'
import { decisionOn, type Confirmation } from './audit/decision.ts'
import type { CallContext, Deps, Implementation } from './implement.ts'
import { fieldWithNul, inputProblem, readInput } from './input-problem.ts'
import { admission, type Admission } from './limits/admission.ts'
import { FairTurns } from './limits/fair-turns.ts'
import { reachPlaceOf } from './targets.ts'
import { NotRecorded, problemOfStore, type AuditEvent, type Stores } from './ports/index.ts'

/** What the edge knows of a call beside its input. */
export interface CallOrigin {
  principal: Principal
  requestId: string
  ip: string
  /** Of the OpenTelemetry trace that the call belongs to. */
  traceId?: string | undefined
  /** It was named to `call_tool`, which is what the audit log says in place of the credential. */
  isHandedOn?: boolean | undefined
  /**
   * How it stands with the confirmation of a call that wants one, where the edge asks for it. Only `given` lets it be
   * done; everything else goes as far as to see whether it could be, and into the audit log.
   */
  confirmation?: Confirmation | undefined
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined
  /** Told how the limits stand, as far as they were asked, before the answer is there. */
  noteLimits?: (states: readonly LimitState[]) => void
}

/** An answer that its schema has read, with the page that shows it. */
export type Answer = Record<string, unknown> & { url: string }

export type Execute = (operation: Operation, input: unknown, origin: CallOrigin) => Promise<Answer>

const noRoles: ReadonlyMap<string, Role> = new Map()

/** Our own pages and client give up after 30 seconds: until then there is time to do it, and to hear of it. */
const turnWithinSeconds = 20

const sharing = {
  waitingMost: 200,
  waitingForMs: turnWithinSeconds * 1_000,
  placeForMs: 5_000,
  tooMany: () =>
    new Problem(
      'rate_limited',
      'Too many of your calls wait for their turn already. Nothing was done. Retry in 1 second. Wait for answers before you send more.',
      { retryAfterSeconds: 1 },
    ),
  // What was within every limit, and is not done all the same, is our fault.
  tooLate: () =>
    new Problem(
      'unavailable',
      `Too much is to be done here: the turn of this call did not come within ${turnWithinSeconds} seconds. Nothing was done. ` +
        'Try again in 5 seconds, with fewer calls at once.',
      { retryAfterSeconds: 5 },
    ),
}

/**
 * The one way in to every operation, whichever surface it came through: limits, scope, input, turn, roles, handler, output,
 * audit, in this order. Refusals are `Problem`s; anything else that is thrown is a bug and passes through.
 *
 * @param callsAtOnce As many as there are connections to the database: more would wait for one, whosever they are.
 * @throws TypeError at start when an operation of the catalogue has no handler.
 */
export function createExecute(
  implementations: readonly Implementation[],
  deps: Deps,
  callsAtOnce = 10,
): Execute {
  const argumentsDigest = createArgumentsDigest(deps.auditKey)
  const turns = new FairTurns({ ...sharing, most: callsAtOnce })
  const handlers = new Map(implementations.map((each) => [each.operation.id, each]))
  const missing = catalogue
    .filter((operation) => !handlers.has(operation.id))
    .map((operation) => operation.id)
  if (missing.length > 0) throw new TypeError(`no handler for ${missing.join(', ')}`)

  async function run(
    operation: Operation,
    rawInput: unknown,
    origin: CallOrigin,
    { concern, admitted, calledAt }: { concern: Concern; admitted: Admission; calledAt: Date },
  ): Promise<Answer> {
    const { principal } = origin
    const entering = admitted.enter()
    if (entering !== undefined) await entering
    const limit = connectionLimit(operation, principal)
    if (limit !== undefined) throw new Problem('connection_limited', limit)
    if (!allows(principal.scopes, operation.scopes)) {
      throw new Problem(
        'insufficient_scope',
        `${operation.id} needs the scope ${operation.scopes.join(' or ')}; this credential has ${principal.scopes.join(', ') || 'none'}.`,
      )
    }
    const parsed = readInput(operation, rawInput ?? {})
    if (!parsed.success) throw inputProblem(operation, rawInput ?? {}, parsed.error)
    const field = fieldWithNul(parsed.data)
    if (field !== undefined) {
      throw new Problem('invalid_input', `The input of ${operation.id} is not valid: look at ${field}.`, {
        errors: [{ field, message: 'Leave out the character U+0000.' }],
      })
    }

    const asked: Asked = { operation, input: parsed.data, origin, concern, admitted, calledAt }
    return takesTurn(operation)
      ? turns.take(tenantOf(principal), () => perform(asked), origin.signal)
      : perform(asked)
  }

  async function perform({ operation, input, origin, concern, admitted, calledAt }: Asked): Promise<Answer> {
    const { principal } = origin
    const caller: Caller = {
      principal,
      access: operation.effect === 'read' ? 'read' : roleAtLeast(operation.role, 'admin') ? 'admin' : 'write',
      signal: operation.effect === 'read' ? origin.signal : undefined,
      roles: operation.tenancy === 'none' ? noRoles : await reachableRoles(deps.stores, principal),
    }
    const context: CallContext = {
      caller,
      principal,
      requestId: origin.requestId,
      calledAt,
      deps,
      operation,
      call: (other, inputOfOther) => {
        concern.isHandedOn = true
        return execute(other, inputOfOther, { ...origin, isHandedOn: true })
      },
      concerns: (workspaceId, targetId) => {
        concern.workspaceId = workspaceId
        concern.target = targetId
      },
      isUneventful: () => {
        concern.isUneventful = true
      },
      enterWorkspace: admitted.enterWorkspace,
    }
    const { confirmation } = origin
    if (confirmation !== undefined && confirmation !== 'given') {
      await reachPlaceOf(input, context)
      throw new Problem(`confirmation_${confirmation}`, 'Nothing was done.')
    }
    origin.signal?.throwIfAborted()
    const implementation = handlers.get(operation.id)
    if (implementation === undefined) throw new TypeError(`no handler for ${operation.id}`)
    const output = operation.output.parse(await implementation.handle(input, context))
    return { ...output, url: deps.publicUrl + operation.link(output, input) }
  }

  const execute: Execute = async (operation, rawInput, origin) => {
    const calledAt = new Date()
    if (deps.stores.audit.isFull()) {
      throw new Problem(
        'unavailable',
        'The audit log cannot keep up. Nothing was done. Try again in 5 seconds.',
        { retryAfterSeconds: 5 },
      )
    }
    const startedAt = performance.now()
    const concern: Concern = {
      workspaceId: onlyWorkspaceOf(origin.principal),
      target: null,
      isHandedOn: false,
      isUneventful: false,
    }
    const admitted = admission(
      { limits: deps.limits, plans: deps.stores.plans },
      operation,
      origin.principal,
      origin.noteLimits,
    )
    const ended = await run(operation, rawInput, origin, { concern, admitted, calledAt }).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error, problem: asProblem(error, origin.signal) }),
    )
    admitted.leave()
    const answer = 'answer' in ended ? ended.answer : undefined
    const problem = 'answer' in ended ? undefined : ended.problem
    // After the operation's own transaction and before the answer: a process that dies in between leaves a change
    // that nobody was told of and that is not recorded. The caller, who got no answer, has to look anyway.
    const isRecorded =
      !concern.isHandedOn && !admitted.wasToldBefore() && !(concern.isUneventful && 'answer' in ended)
    if (isRecorded) {
      await record({
        id: newId('auditEvent'),
        workspaceId: concern.workspaceId,
        userId: origin.principal.userId,
        via: origin.isHandedOn === true ? operations.callTool.id : origin.principal.via,
        clientId: origin.principal.clientId,
        clientName: origin.principal.clientName,
        operation: operation.id,
        effect: operation.effect,
        target: concern.target,
        // Of megabytes it would take longer than the call.
        argumentsDigest:
          operation.bodyBytesMax === undefined ? argumentsDigest(concern.workspaceId, rawInput) : null,
        decision: decisionOn(problem, origin.confirmation),
        outcome: 'answer' in ended ? 'ok' : (problem?.code ?? 'internal'),
        status: 'answer' in ended ? operation.http.status : (problem?.status ?? 500),
        durationMs: performance.now() - startedAt,
        answerBytes: answer === undefined ? 0 : Buffer.byteLength(answerJson(answer)),
        requestId: origin.requestId,
        traceId: origin.traceId ?? null,
        ip: origin.ip,
        userAgent: null,
        at: new Date(),
      })
    }
    if ('answer' in ended) return ended.answer
    throw ended.problem ?? ended.error
  }

  async function record(event: AuditEvent): Promise<void> {
    try {
      await deps.stores.audit.record(event)
    } catch (error) {
      if (!(error instanceof NotRecorded)) throw error
      throw new Problem(
        'unavailable',
        `${event.operation} ended (${event.outcome}), but that could not be recorded yet. Look before you try again.`,
        { cause: error },
      )
    }
  }
  return execute
}

interface Concern {
  workspaceId: string | null
  target: string | null
  /** Another operation was called in its place, which has an event of its own. */
  isHandedOn: boolean
  /** There is nothing to record, unless it is refused. */
  isUneventful: boolean
}

/** A call that may be done, for all that can be seen without looking anything up. */
interface Asked {
  operation: Operation
  input: Record<string, unknown>
  origin: CallOrigin
  concern: Concern
  admitted: Admission
  calledAt: Date
}

/** What is asked to wait for news takes next to nothing meanwhile, and what `call_tool` calls takes a turn of its own. */
function takesTurn({ id, input }: Operation): boolean {
  return id !== operations.callTool.id && !('wait_seconds' in input.shape)
}

/** Whose turn it is: known before anything is looked up, which is why it is not the workspace that a call turns out to be about. */
function tenantOf(principal: Principal): string {
  return onlyWorkspaceOf(principal) ?? principal.userId
}

/** What a credential for one workspace does is in its log from the start, also what is refused before it gets anywhere. */
function onlyWorkspaceOf({ workspaceIds = [] }: Principal): string | null {
  return workspaceIds.length === 1 ? (workspaceIds[0] ?? null) : null
}

/** What a person is in the workspaces that their credential is for. */
export async function reachableRoles(
  { memberships }: Pick<Stores, 'memberships'>,
  principal: Principal,
): Promise<ReadonlyMap<string, Role>> {
  const roles = await memberships.rolesOf(principal.userId)
  const only = principal.workspaceIds
  return only === undefined
    ? roles
    : new Map([...roles].filter(([workspaceId]) => only.includes(workspaceId)))
}

/** What was refused, in a caller's words; undefined for a defect. */
export function asProblem(error: unknown, signal?: AbortSignal): Problem | undefined {
  if (error instanceof Problem) return error
  if (signal?.aborted === true && error === signal.reason) {
    return new Problem('cancelled', 'Whoever asked hung up before there was an answer.', { cause: error })
  }
  return problemOfStore(error)
}
