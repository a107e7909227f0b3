import { gzipSync } from 'node:zlib'
import { joined, type Mutation } from '../fuzzing/mutation.ts'

const byteOrderMark: Mutation = (bytes) => joined(Uint8Array.of(0xef, 0xbb, 0xbf), bytes)

const utf16: Mutation = (bytes) =>
  joined(Uint8Array.of(0xff, 0xfe), Buffer.from(Buffer.from(bytes).toString(), 'utf16le'))

const gzipped: Mutation = (bytes) => gzipSync(bytes, { level: 1 })

const otherLineEnds: Mutation = (bytes, random) =>
  joined(
    Buffer.from(
      Buffer.from(bytes)
        .toString()
        .replaceAll('\n', random.pick(['\r\n', '\r', '\u2028', '\f'])),
    ),
  )

/** A text as another program may have saved it. */
export const encodingMutations: readonly Mutation[] = [byteOrderMark, utf16, gzipped, otherLineEnds]
