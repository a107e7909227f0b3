import { Problem, type operations, type OutputOf } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { SsoDomain, SsoSettings, Workspace } from '../ports/index.ts'
import { isoOrNull } from '../wire.ts'

/** Settings of single sign-on with all that belongs to them. */
export async function ssoOnWire(
  { caller, deps }: CallContext,
  { id, slug }: Pick<Workspace, 'id' | 'slug'>,
): Promise<OutputOf<typeof operations.getSso>> {
  const [settings, domains] = await Promise.all([
    deps.stores.sso.find(caller, id),
    deps.stores.sso.listDomains(caller, id),
  ])
  const members =
    settings === undefined ? [] : await deps.stores.sso.listMemberIds(caller, id, settings.issuer)
  return {
    workspace_id: id,
    settings:
      settings === undefined
        ? null
        : {
            issuer: settings.issuer,
            client_id: settings.clientId,
            default_role: settings.defaultRole,
            is_required: settings.isRequired,
            owners_keep_other_ways: settings.ownersKeepOtherWays,
            worked_at: isoOrNull(settings.workedAt),
            member_count: members.length,
          },
    domains: domains.map(ssoDomainOnWire),
    redirect_uri: ssoRedirectUri(deps.publicUrl, id),
    sign_in_url: `${deps.publicUrl}/sign-in/sso/${slug}`,
  }
}

export function ssoDomainOnWire(domain: SsoDomain): OutputOf<typeof operations.verifySsoDomain>['domain'] {
  return {
    domain: domain.domain,
    is_verified: domain.method !== null,
    method: domain.method,
    dns_name: `_flamegate-sso.${domain.domain}`,
    token: domain.token,
    verified_at: isoOrNull(domain.verifiedAt),
    checked_at: isoOrNull(domain.checkedAt),
    failure: domain.failure,
  }
}

/** The gateway's address; one for each workspace, so that no provider answers in place of another (RFC 9700, 4.4). */
export function ssoRedirectUri(publicUrl: string, workspaceId: string): string {
  return `${publicUrl}/auth/sso/${workspaceId}/callback`
}

/** @throws Problem `sso_not_found` */
export async function getSsoSettings(
  { caller, deps }: CallContext,
  workspaceId: string,
): Promise<SsoSettings> {
  const settings = await deps.stores.sso.find(caller, workspaceId)
  if (settings === undefined) {
    throw new Problem('sso_not_found', 'This workspace has no single sign-on. Set its provider first.')
  }
  return settings
}
