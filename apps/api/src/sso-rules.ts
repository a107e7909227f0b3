import { checkProvider } from '@flamegate/auth/oidc'
import type { SsoRules } from '@flamegate/operations/ports'
import { findTxt, tenantProviders } from '@flamegate/runtime'

/** What the installation does for single sign-on, out of its settings. */
export function ssoRules({
  targetsAllowed,
  ssoDomains,
  resolveTxt,
}: {
  targetsAllowed: readonly string[]
  ssoDomains: readonly (readonly [domain: string, workspaceId: string])[]
  resolveTxt: (name: string) => Promise<string[][]>
}): SsoRules {
  const providers = tenantProviders(targetsAllowed)
  return {
    isTrusted: (workspaceId, domain) =>
      ssoDomains.some(([name, owner]) => name === domain && owner === workspaceId),
    mayAsk: (issuer) => providers.mayAsk(issuer),
    async findProof(domain, token) {
      const failure = await findTxt(`_flamegate-sso.${domain}`, token, resolveTxt)
      return failure === undefined ? { method: 'dns' } : { failure }
    },
    check: (provider, redirectUri) =>
      checkProvider(
        { ...provider, fetch: providers.fetch, allowHttp: providers.allowsHttp(provider.issuer) },
        redirectUri,
      ),
  }
}
