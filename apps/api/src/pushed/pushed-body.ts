import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { Problem } from '@flamegate/contract'
import { pushedBytesMax } from './pushed-profile.ts'

const unpack = promisify(gunzip)
const pack = promisify(gzip)

/**
 * The body of a request as it was before it was compressed on the way. The work is done beside the event loop.
 * @throws Problem `too_large`, `malformed_request`, `unsupported_media_type`
 */
export async function plainBody(body: Uint8Array, encoding: string | undefined): Promise<Uint8Array> {
  if (encoding === undefined || encoding === '' || encoding === 'identity') return body
  if (encoding !== 'gzip') {
    throw new Problem(
      'unsupported_media_type',
      `Bodies may be compressed with gzip, not with ${encoding.slice(0, 40)}.`,
    )
  }
  return unpack(body, { maxOutputLength: pushedBytesMax }).catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new Problem('malformed_request', 'The body is no gzip, or is cut off.', { cause })
  })
}

/** @throws Problem `unsupported_media_type` */
export function needType(contentType: string | undefined, types: readonly string[]): void {
  if (types.includes(contentType?.split(';')[0]?.trim() ?? '')) return
  throw new Problem('unsupported_media_type', `Send ${types.join(' or ')}, over HTTP and not by gRPC.`)
}

/** What is stored for a week is stored small. */
export async function packed(content: Uint8Array): Promise<Uint8Array> {
  return content[0] === 0x1f && content[1] === 0x8b ? content : pack(content)
}

function tooLarge(): Problem {
  return new Problem(
    'too_large',
    `One request may bring ${pushedBytesMax} bytes, unpacked. Send it more often.`,
  )
}
