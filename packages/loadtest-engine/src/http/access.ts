import type { UserProfile } from '@flamegate/loadtest'

/** How the users of a profile reach servers, as a scenario says it. */
export type Access = Pick<UserProfile, 'network' | 'keep_alive' | 'http_version' | 'proxy_url'>

/** As a check has it. */
export const usualAccess: Access = {
  network: { download_bits_per_second: null, upload_bits_per_second: null, latency_ms: 0 },
  keep_alive: true,
  http_version: 'of_server',
  proxy_url: null,
}
