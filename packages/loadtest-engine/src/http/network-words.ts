import type { ErrorClass } from '@flamegate/series'
import { TargetRefused } from '../ports.ts'
import { ConnectFailed } from './connect-failed.ts'

/** Something took longer than it may. */
export class TimedOut extends Error {
  constructor(what: string, timeoutMs?: number) {
    super(`It took too long to ${what}${timeoutMs === undefined ? '' : `: more than ${timeoutMs} ms`}.`)
  }
}

/** The connection ended before a request could be written on it. */
export class NotSent extends Error {}

/** An answer is larger than what is read. */
export class TooLarge extends Error {
  constructor(bytesMax: number) {
    super(`The answer is larger than ${bytesMax / 1e6} MB, the most that is read.`)
  }
}

const byCode: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused: nothing listens there.',
  ECONNRESET: 'The connection was reset by the other side.',
  EPIPE: 'The connection was closed by the other side.',
  ETIMEDOUT: 'The other side did not answer.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  ENOTFOUND: 'The host name is not known.',
  EAI_AGAIN: 'The host name could not be looked up; the name server does not answer.',
  UND_ERR_SOCKET: 'The connection was closed by the other side before the answer was complete.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The answer is not as long as its content-length says.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are larger than 64 kB.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is signed by nobody but itself.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is signed by an authority that is not known.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is signed by an authority that is not known.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate is signed by an authority that is not known.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host.',
}

/** Why there is no answer, in words for the author of a virtual user. */
export function networkWords(error: unknown, place: string): string {
  if (error instanceof TargetRefused || error instanceof TimedOut || error instanceof TooLarge)
    return `${place}: ${error.message}`
  if (!(error instanceof Error)) return `${place}: ${String(error)}`
  if (error.cause instanceof TargetRefused) return networkWords(error.cause, place)
  const code = 'code' in error ? String(error.code) : ''
  if (code.startsWith('HPE_')) return `${place}: The answer is no valid HTTP: ${error.message}.`
  const known = byCode[code]
  if (known !== undefined && code.includes('CERT')) return `${place}: ${known} (${code})`
  return `${place}: ${known ?? error.message}`
}

const resetCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])

/** Of what class it is that there is no answer. */
export function errorClassOf(error: unknown): ErrorClass {
  if (error instanceof ConnectFailed) {
    const { cause, during } = error
    const known = errorClassOf(cause)
    return known === 'refused_target' || known === 'timeout' ? known : during
  }
  if (error instanceof TargetRefused) return 'refused_target'
  if (error instanceof TimedOut) return 'timeout'
  if (error instanceof TooLarge) return 'protocol'
  if (!(error instanceof Error)) return 'other'
  if (error.cause instanceof TargetRefused) return 'refused_target'
  const code = 'code' in error ? String(error.code) : ''
  if (resetCodes.has(code) || error instanceof NotSent) return 'reset'
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_')) return 'protocol'
  return 'other'
}
