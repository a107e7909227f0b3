import type { FastifyInstance } from 'fastify'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { IdentityStore, SecurityOrigin } from '@flamegate/operations/ports'
import { recordSecurity, type RecordedRoute } from '../security-events.ts'
import { isMachine } from './machine-clients.ts'

/** What people allow clients that the audit log tells. */
const recordedRoutes: Readonly<Record<string, RecordedRoute>> = {
  'POST /auth/interactions/:uid/allow': { action: 'allow_client' },
  'POST /auth/interactions/:uid/deny': { action: 'refuse_client' },
  'POST /auth/device/allow': { action: 'allow_device' },
  'POST /auth/device/deny': { action: 'refuse_device' },
  'PUT /auth/connected-apps/:id/choices': { action: 'change_consent' },
}

type Identity = Pick<IdentityStore, 'accounts' | 'findApiTokenById' | 'findUserByEmail' | 'securityLog'>

/**
 * Records what people allow clients, and what clients do at the provider without anybody: register, and take tokens as
 * machines. The provider does not wait for those, and has answered by then.
 */
export function recordOAuth(
  app: FastifyInstance,
  provider: Provider,
  identity: Identity,
  onFailure: (error: Error) => void,
): void {
  recordSecurity(app, identity, recordedRoutes)

  provider.on('registration_create.success', (context, client) => {
    identity.securityLog
      .record({
        action: 'register_client',
        userId: undefined,
        outcome: 'ok',
        status: 201,
        client: { id: client.clientId, name: client.clientName ?? client.clientId },
        ...originAtProvider(context),
      })
      .catch(onFailure)
  })
  provider.on('grant.success', (context) => {
    const { client } = context.oidc
    if (client !== undefined && isMachine(client.clientId)) {
      recordMachineToken(context, client.clientId).catch(onFailure)
    }
  })

  async function recordMachineToken(context: KoaContextWithOIDC, tokenId: string): Promise<void> {
    const token = await identity.findApiTokenById(tokenId)
    await identity.securityLog.record({
      action: 'issue_machine_token',
      userId: token?.userId,
      workspaceId: token?.workspaceId,
      outcome: 'ok',
      status: 200,
      client: { id: tokenId, name: token?.name ?? tokenId },
      ...originAtProvider(context),
    })
  }
}

function originAtProvider({ headers, ip }: KoaContextWithOIDC): SecurityOrigin {
  const { 'x-request-id': id, 'user-agent': userAgent } = headers
  return {
    requestId: typeof id === 'string' ? id : '',
    ip,
    userAgent: userAgent?.slice(0, 300) ?? null,
  }
}
