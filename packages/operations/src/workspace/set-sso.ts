import { operations, Problem, type InputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { SsoSettings } from '../ports/index.ts'
import { getWorkspace } from '../targets.ts'
import { ssoOnWire } from './sso-on-wire.ts'

type Input = InputOf<typeof operations.setSso>

export const setSso = implement(operations.setSso)(async (input, context) => {
  const { caller, deps } = context
  const workspace = await getWorkspace(context, input.workspace_id)
  if (!deps.sso.mayAsk(input.issuer)) {
    throw wrong('issuer', 'It must be https; what this installation allows besides, its settings say.')
  }
  const before = await deps.stores.sso.find(caller, workspace.id)
  const isSameClient = before?.issuer === input.issuer && before.clientId === input.client_id
  // A secret that was set for one provider is never sent to another.
  const sealed = isSameClient ? before.sealedClientSecret : undefined
  const { client_secret: secret } = input
  const sealedClientSecret =
    secret === undefined
      ? sealed
      : await deps.sealing.seal(secret, { id: workspace.id, workspaceId: workspace.id })
  if (sealedClientSecret === undefined) {
    throw wrong('client_secret', 'A new issuer or client needs its secret.')
  }
  const workedAt = isSameClient ? before.workedAt : null
  if (input.is_required) await mustWork(input, workedAt, context)
  await deps.stores.sso.set(caller, {
    workspaceId: workspace.id,
    issuer: input.issuer,
    clientId: input.client_id,
    sealedClientSecret,
    defaultRole: input.default_role,
    isRequired: input.is_required,
    ownersKeepOtherWays: input.owners_keep_other_ways,
    workedAt,
  })
  return ssoOnWire(context, workspace)
})

/** Whoever closes the other ways has seen that this one is open. */
async function mustWork(
  input: Input,
  workedAt: SsoSettings['workedAt'],
  { caller, deps }: CallContext,
): Promise<void> {
  const domains = await deps.stores.sso.listDomains(caller, input.workspace_id)
  if (!domains.some(({ method }) => method !== null)) {
    throw wrong('is_required', 'Prove a domain first: it is required of people with an address there.')
  }
  if (workedAt === null) {
    throw wrong(
      'is_required',
      'Nobody has logged in with this issuer and client yet. Save it, do so, then require it.',
    )
  }
  if (input.owners_keep_other_ways) return
  const members = await deps.stores.sso.listMemberIds(caller, input.workspace_id, input.issuer)
  if (!members.includes(caller.principal.userId)) {
    throw wrong(
      'owners_keep_other_ways',
      'Log in with the provider yourself first, so that you can come in again.',
    )
  }
}

function wrong(field: string, message: string): Problem {
  return new Problem('invalid_input', `This cannot be set: look at ${field}. ${message}`, {
    errors: [{ field, message }],
  })
}
