import { createHash } from 'node:crypto'

/** The same chunks. Ends with a RangeError, in place of its end, when they had another MD5 (base64). */
export async function* withMd5(body: AsyncIterable<Uint8Array>, md5: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('md5')
  for await (const chunk of body) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('base64') !== md5) throw new RangeError('The bytes have another MD5 than announced.')
}
