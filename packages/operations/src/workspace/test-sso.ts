import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { getSsoSettings, ssoRedirectUri } from './sso-on-wire.ts'

export const testSso = implement(operations.testSso)(async (input, context) => {
  const { deps } = context
  const { id } = await getWorkspace(context, input.workspace_id)
  const { issuer, clientId, sealedClientSecret } = await getSsoSettings(context, id)
  const clientSecret = await deps.sealing.open(sealedClientSecret, id)
  const checks = await deps.sso.check({ issuer, clientId, clientSecret }, ssoRedirectUri(deps.publicUrl, id))
  return {
    workspace_id: id,
    is_ok: checks.every(({ isOk }) => isOk),
    checks: checks.map(({ name, isOk, detail }) => ({ check: name, is_ok: isOk, detail })),
  }
})
