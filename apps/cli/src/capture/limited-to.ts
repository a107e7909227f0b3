import { Transform } from 'node:stream'
import { CaptureFailed } from './capture-request.ts'

/** Passes bytes on, as many as an upload may have. */
export function limitedTo(maxBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length
      if (bytes <= maxBytes) done(null, chunk)
      else done(new CaptureFailed(`The profile has more than ${maxBytes} bytes, which is the most.`))
    },
  })
}
