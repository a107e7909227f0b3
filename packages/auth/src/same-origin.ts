/** What a browser says about where a request comes from. */
export interface RequestOrigin {
  origin?: string | undefined
  secFetchSite?: string | undefined
}

/**
 * Whether a request was made by our own pages. Browsers send `Origin` with every unsafe request and pages cannot
 * change it; the few that leave it out send `Sec-Fetch-Site`. Neither of them is a no.
 */
export function isSameOrigin({ origin, secFetchSite }: RequestOrigin, siteUrl: string): boolean {
  if (origin !== undefined) return origin === new URL(siteUrl).origin
  return secFetchSite === 'same-origin'
}
