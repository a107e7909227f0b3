import type { HttpServer } from '@flamegate/loadtest'
import type { Access } from './access.ts'

/** How connections to a server are made. */
export interface Transport {
  verifiesCertificates: boolean
  /** SNI, if another one than the host. */
  serverName: string | null
  minVersion: 'TLSv1.2' | 'TLSv1.3'
  isHttp2: boolean
  /** False: each carries one request. */
  keepsAlive: boolean
  connectTimeoutMs: number
}

/** For servers that nobody described: those that a redirect or a page leads to. */
export function usualTransport({ http_version, keep_alive }: Access): Transport {
  return {
    verifiesCertificates: true,
    serverName: null,
    minVersion: 'TLSv1.2',
    isHttp2: http_version === 'h2',
    keepsAlive: keep_alive,
    connectTimeoutMs: 30_000,
  }
}

export function transportOf(
  { tls, http_version: ofServer, connect_timeout_ms }: HttpServer,
  { http_version: asked, keep_alive }: Access,
): Transport {
  return {
    verifiesCertificates: tls.verify,
    serverName: tls.server_name,
    minVersion: tls.min_version,
    isHttp2: (asked === 'of_server' ? ofServer : asked) === 'h2',
    keepsAlive: keep_alive,
    connectTimeoutMs: connect_timeout_ms,
  }
}
