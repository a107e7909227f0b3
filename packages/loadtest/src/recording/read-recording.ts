import { gunzipSync } from 'node:zlib'
import type { Exchange } from './exchange.ts'
import type { RecordingIndex } from './recording-writer.ts'

// Of an entry of 50 MB, of which what is no text may take three bytes for one, and that cannot be said of its body.
const lineBytesMax = 200_000_000

/** One exchange, of the bytes that the index tells. Throws a RangeError when these are no member of a recording. */
export function readExchange(member: Uint8Array): Exchange {
  try {
    return JSON.parse(gunzipSync(member, { maxOutputLength: lineBytesMax }).toString())
  } catch (cause) {
    throw new RangeError('These bytes are no exchange of a recording.', { cause })
  }
}

/** The exchanges of a recording in their order, one at a time, from its bytes as they come. */
export async function* readRecording(
  source: AsyncIterable<Uint8Array>,
  index: RecordingIndex,
): AsyncGenerator<Exchange> {
  const places = index.exchanges.values()
  let wanted = places.next().value
  let pieces: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    let rest = chunk
    while (wanted !== undefined && length + rest.length >= wanted.length) {
      const taken = wanted.length - length
      yield readExchange(Buffer.concat([...pieces, rest.subarray(0, taken)]))
      rest = rest.subarray(taken)
      pieces = []
      length = 0
      wanted = places.next().value
    }
    pieces.push(rest)
    length += rest.length
  }
  if (wanted !== undefined) throw new RangeError('The recording is shorter than its index says.')
}
