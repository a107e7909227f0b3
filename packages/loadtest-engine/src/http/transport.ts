import type { HttpServer } from '@flamegate/loadtest'

/** How connections to a server are made. */
export interface Transport {
  verifiesCertificates: boolean
  /** SNI, if another one than the host. */
  serverName: string | null
  minVersion: 'TLSv1.2' | 'TLSv1.3'
  isHttp2: boolean
  connectTimeoutMs: number
}

/** For servers that nobody described: those that a redirect or a page leads to. */
export const usualTransport: Transport = {
  verifiesCertificates: true,
  serverName: null,
  minVersion: 'TLSv1.2',
  isHttp2: false,
  connectTimeoutMs: 30_000,
}

export function transportOf({ tls, http_version, connect_timeout_ms }: HttpServer): Transport {
  return {
    verifiesCertificates: tls.verify,
    serverName: tls.server_name,
    minVersion: tls.min_version,
    isHttp2: http_version === 'h2',
    connectTimeoutMs: connect_timeout_ms,
  }
}
