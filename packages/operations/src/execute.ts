import {
  allows,
  catalogue,
  newId,
  Problem,
  type Caller,
  type Operation,
  type Principal,
  type Role,
} from '@flamegate/contract'
import type { CallContext, Deps, Implementation } from './implement.ts'
import { Conflict, NotPermitted } from './ports/index.ts'
import { fieldWithNul, inputProblem } from './input-problem.ts'

/** What the edge knows of a call beside its input. */
export interface CallOrigin {
  principal: Principal
  requestId: string
  ip: string
}

/** An answer that its schema has read, with the page that shows it. */
export type Answer = Record<string, unknown> & { url: string }

export type Execute = (operation: Operation, input: unknown, origin: CallOrigin) => Promise<Answer>

const noRoles: ReadonlyMap<string, Role> = new Map()

/**
 * The one way in to every operation, whichever surface it came through: scope, input, roles, handler, output,
 * audit, in this order. Refusals are `Problem`s; anything else that is thrown is a bug and passes through.
 *
 * @throws TypeError at start when an operation of the catalogue has no handler.
 */
export function createExecute(implementations: readonly Implementation[], deps: Deps): Execute {
  const handlers = new Map(implementations.map((each) => [each.operation.id, each]))
  const missing = catalogue
    .filter((operation) => !handlers.has(operation.id))
    .map((operation) => operation.id)
  if (missing.length > 0) throw new TypeError(`no handler for ${missing.join(', ')}`)

  async function run(
    operation: Operation,
    rawInput: unknown,
    origin: CallOrigin,
    concern: Concern,
  ): Promise<Answer> {
    const { principal } = origin
    if (!allows(principal.scopes, operation.scopes)) {
      throw new Problem(
        'insufficient_scope',
        `${operation.id} needs the scope ${operation.scopes.join(' or ')}; this credential has ${principal.scopes.join(', ') || 'none'}.`,
      )
    }
    const parsed = operation.input.safeParse(rawInput ?? {})
    if (!parsed.success) throw inputProblem(operation, parsed.error)
    const field = fieldWithNul(parsed.data)
    if (field !== undefined) {
      throw new Problem('invalid_input', `The input of ${operation.id} is not valid: look at ${field}.`, {
        errors: [{ field, message: 'Leave out the character U+0000.' }],
      })
    }

    const caller: Caller = {
      principal,
      access: operation.effect === 'read' ? 'read' : operation.role === 'admin' ? 'admin' : 'write',
      roles: operation.tenancy === 'none' ? noRoles : await reachableRoles(deps, principal),
    }
    const context: CallContext = {
      caller,
      principal,
      requestId: origin.requestId,
      deps,
      operation,
      concerns: (workspaceId, targetId) => {
        concern.workspaceId = workspaceId
        concern.target = targetId
      },
    }
    const implementation = handlers.get(operation.id)
    if (implementation === undefined) throw new TypeError(`no handler for ${operation.id}`)
    const output = operation.output.parse(await implementation.handle(parsed.data, context))
    return { ...output, url: deps.publicUrl + operation.link(output, parsed.data) }
  }

  return async (operation, rawInput, origin) => {
    const startedAt = performance.now()
    const concern: Concern = { workspaceId: null, target: null }
    let outcome = 'ok'
    let status: number = operation.http.status
    try {
      return await run(operation, rawInput, origin, concern)
    } catch (error) {
      const problem = asProblem(error)
      outcome = problem?.code ?? 'internal'
      status = problem?.status ?? 500
      throw problem ?? error
    } finally {
      await deps.stores.audit.record({
        id: newId('auditEvent'),
        workspaceId: concern.workspaceId,
        userId: origin.principal.userId,
        via: origin.principal.via,
        clientId: origin.principal.clientId,
        clientName: origin.principal.clientName,
        operation: operation.id,
        effect: operation.effect,
        target: concern.target,
        outcome,
        status,
        durationMs: performance.now() - startedAt,
        requestId: origin.requestId,
        ip: origin.ip,
        at: new Date(),
      })
    }
  }
}

interface Concern {
  workspaceId: string | null
  target: string | null
}

async function reachableRoles(deps: Deps, principal: Principal): Promise<ReadonlyMap<string, Role>> {
  const roles = await deps.stores.memberships.rolesOf(principal.userId)
  const only = principal.workspaceIds
  return only === undefined
    ? roles
    : new Map([...roles].filter(([workspaceId]) => only.includes(workspaceId)))
}

/** What a store refused, in a caller's words. */
function asProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (error instanceof NotPermitted) {
    return new Problem(
      'insufficient_role',
      'Your role in this workspace does not allow this. Ask an admin of it.',
      { cause: error },
    )
  }
  if (error instanceof Conflict) {
    const field = error.field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return new Problem('conflict', `There is one with this ${field} already. Choose another.`, {
      cause: error,
      errors: [{ field, message: 'Taken already.' }],
    })
  }
  return undefined
}
