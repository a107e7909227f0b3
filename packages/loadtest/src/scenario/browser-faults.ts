import type { UserProfile } from './scenario.ts'

/** What a profile asks of its connections that a browser decides about by itself, by the field. */
const fields: Readonly<Record<string, (profile: UserProfile) => boolean>> = {
  network: ({ network }) =>
    network.download_bits_per_second !== null ||
    network.upload_bits_per_second !== null ||
    network.latency_ms > 0,
  keep_alive: ({ keep_alive: isKept }) => !isKept,
  http_version: ({ http_version: version }) => version !== 'of_server',
  proxy_url: ({ proxy_url: url }) => url !== null,
}

/** Fields of a profile that mean nothing to a user with a browser. */
export function notOfBrowser(profile: UserProfile): string[] {
  return Object.entries(fields).flatMap(([field, isAsked]) => (isAsked(profile) ? [field] : []))
}
