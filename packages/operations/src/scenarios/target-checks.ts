import { serversOf, type HttpServer, type Scenario } from '@flamegate/loadtest'
import type { Check } from './preflight-scenario.ts'
import type { ProfiledUsers } from './reaching.ts'

/** Hosts that the profiles would put load on and may not, each once; those that a variable decides are asked about when they are met. */
export function targetChecks(
  { profiles }: Scenario,
  users: ProfiledUsers,
  servers: ReadonlyMap<string, HttpServer>,
  isReachable: (host: string) => boolean,
): Check[] {
  const checks = new Map<string, Check>()
  for (const [index, profile] of profiles.entries()) {
    if (!profile.enabled) continue
    const user = users.get(profile.virtual_user_id ?? '')
    const ids = user === undefined ? [] : [...serversOf(user.document)]
    const aims = ids.flatMap((id) => servers.get(id)?.base_url ?? [])
    for (const url of aims) add(url, `/profiles/${index}/virtual_user_id`)
    if (profile.proxy_url !== null) add(profile.proxy_url, `/profiles/${index}/proxy_url`)
  }
  return [...checks.values()]

  function add(url: string, pointer: string): void {
    // Not the password of a proxy.
    const host = URL.parse(url)?.host ?? url.replace(/\/\/[^/]*@/, '//')
    if (checks.has(host)) return
    if (host.includes('${')) {
      checks.set(host, {
        check: 'targets',
        grade: 'warning',
        code: 'target_unknown',
        message: `A variable decides about ${host}: requests to a host that is not verified will fail.`,
        advice: 'Verify the hosts that it may be with verify_target.',
        pointer,
      })
    } else if (!isReachable(host)) {
      checks.set(host, {
        check: 'targets',
        grade: 'error',
        code: 'target_unverified',
        message: `${host} is not verified.`,
        advice: 'Prove that it is yours with verify_target.',
        pointer,
      })
    }
  }
}
