import type { ImportContext } from './importer.ts'

/**
 * Why a request to a host is kept disabled; null where it may be sent.
 * @param host as URL.host tells it; null where it is known only when the test runs
 */
export function whyDisabled(
  host: string | null,
  { isVerified }: Pick<ImportContext, 'isVerified'>,
): string | null {
  if (host === null)
    return 'Disabled, because its host is known only when it runs: write the base URL of its server, then enable it.'
  return isVerified(host) ? null : whyUnverified(host)
}

/** Why a request to a host that is no verified target is kept disabled; `owner` is who the host belongs to, if it is known. */
export function whyUnverified(host: string, owner?: string): string {
  const whose = owner === undefined ? '' : ` (${owner})`
  return `Disabled, because ${host.slice(0, 260)}${whose} is no verified target: verify it and enable this, or leave it disabled.`
}
