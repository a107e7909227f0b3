import { randomBytes } from 'node:crypto'
import { operations, Problem } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import { Conflict, type SsoDomain } from '../ports/index.ts'
import { getWorkspace } from '../targets.ts'
import { ssoDomainOnWire } from './sso-on-wire.ts'

const domainsMax = 50

export const verifySsoDomain = implement(operations.verifySsoDomain)(async (input, context) => {
  const { caller, deps } = context
  const { id } = await getWorkspace(context, input.workspace_id)
  const domains = await deps.stores.sso.listDomains(caller, id)
  const known = domains.find(({ domain }) => domain === input.domain)
  if (known === undefined && domains.length >= domainsMax) {
    throw new Problem('invalid_input', `A workspace has at most ${domainsMax} domains. Give one up first.`)
  }
  const isTrusted = deps.sso.isTrusted(id, input.domain)
  const found =
    known ?? (await deps.stores.sso.addDomain(caller, id, { domain: input.domain, token: newToken() }))
  // Nobody can have put a token anywhere that they are told of only now.
  const checked = known === undefined && !isTrusted ? found : await check(id, found, isTrusted, context)
  return { workspace_id: id, domain: ssoDomainOnWire(checked) }
})

async function check(
  workspaceId: string,
  { domain, token }: SsoDomain,
  isTrusted: boolean,
  { caller, deps }: CallContext,
): Promise<SsoDomain> {
  const proof = isTrusted ? ({ method: 'settings' } as const) : await deps.sso.findProof(domain, token)
  try {
    const checked = await deps.stores.sso.noteCheck(caller, workspaceId, domain, proof)
    if (checked === undefined) throw new Problem('conflict', 'This domain was given up just now.')
    return checked
  } catch (error) {
    if (!(error instanceof Conflict)) throw error
    const detail = `Another workspace has proved ${domain}. It has to give it up first; whoever runs this installation can help.`
    throw new Problem('conflict', detail, { cause: error })
  }
}

function newToken(): string {
  return `flamegate-sso-${randomBytes(24).toString('base64url')}`
}
