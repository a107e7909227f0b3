import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Transform } from 'node:stream'
import { OutboundRefused } from './outbound-refused.ts'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
}

/**
 * Reads and decompresses a body. At most `maxBytes` are taken from the wire and at most as many come out of the
 * decompressor, so a small answer cannot grow into a large one here. Nothing is read once `isEnough`.
 * @throws OutboundRefused `too_large`, `unsupported_encoding` or `unreadable_encoding`.
 */
export async function readBody(
  body: Readable,
  contentEncoding: string | undefined,
  maxBytes: number,
  isEnough: (piece: Uint8Array) => boolean,
): Promise<Uint8Array> {
  if (isEnough(new Uint8Array())) {
    body.destroy()
    return new Uint8Array()
  }
  const encoding = (contentEncoding ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return collect(body, maxBytes, isEnough)
  const decoder = decoders[encoding]?.()
  if (!decoder) {
    body.destroy()
    throw new OutboundRefused(
      'unsupported_encoding',
      'The answer uses a content encoding that is not supported.',
    )
  }
  // The sender's failure has to end the decoder too, or reading it would wait for ever.
  body.once('error', (error) => decoder.destroy(error))
  limited(body, maxBytes).pipe(decoder)
  try {
    return await collect(decoder, maxBytes, isEnough)
  } catch (error) {
    if (isZlibError(error)) {
      throw new OutboundRefused('unreadable_encoding', 'The answer could not be decompressed.', {
        cause: error,
      })
    }
    throw error
  } finally {
    body.destroy()
  }
}

async function collect(
  stream: Readable,
  maxBytes: number,
  isEnough: (piece: Uint8Array) => boolean,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  // Leaving the loop early destroys the stream.
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
    if (isEnough(chunk)) break
  }
  return Buffer.concat(chunks, sizeBytes)
}

function limited(body: Readable, maxBytes: number): Readable {
  let sizeBytes = 0
  body.on('data', (chunk: Uint8Array) => {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBytes) body.destroy(tooLarge(maxBytes))
  })
  return body
}

function tooLarge(maxBytes: number): OutboundRefused {
  return new OutboundRefused('too_large', `The answer is larger than ${maxBytes} bytes.`)
}

function isZlibError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('Z_') || code.startsWith('ERR__ERROR_') || code.startsWith('ERR_BROTLI')
}
