import { tickAtSecond } from '@flamegate/series'
import type { ImportedTicks } from '../ports/index.ts'

/** A second of a run, by the second since 1970: when the run began is known when all was read. */
export interface TickFrame {
  unixSecond: number
  tick: Uint8Array
}

const headBytes = 8
const batchTicks = 600
const batchBytes = 4_000_000

/** A frame as bytes: its second and its length in 32 bits each, and the tick. */
export function encodeFrame({ unixSecond, tick }: TickFrame): Uint8Array {
  const head = new Uint8Array(headBytes)
  const view = new DataView(head.buffer)
  view.setUint32(0, unixSecond)
  view.setUint32(4, tick.length)
  return Buffer.concat([head, tick])
}

/** Frames that were written one after the other, as batches of a run that began at `startSecond` since 1970. */
export async function* batchesOf(
  written: AsyncIterable<Uint8Array>,
  startSecond: number,
): AsyncGenerator<ImportedTicks> {
  let sequence = 0
  let ticks: ImportedTicks['ticks'] = []
  let bytes = 0
  for await (const { unixSecond, tick } of framesOf(written)) {
    const second = unixSecond - startSecond
    // Seconds rise in a batch.
    const isFull = ticks.length === batchTicks || bytes + tick.length > batchBytes
    if (ticks.length > 0 && (isFull || second <= (ticks.at(-1)?.second ?? 0))) {
      yield { sequence: sequence++, ticks }
      ticks = []
      bytes = 0
    }
    ticks.push({ second, bytes: tickAtSecond(tick, second) })
    bytes += tick.length
  }
  if (ticks.length > 0) yield { sequence, ticks }
}

async function* framesOf(written: AsyncIterable<Uint8Array>): AsyncGenerator<TickFrame> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of written) {
    rest = Buffer.concat([rest, piece])
    let at = 0
    while (rest.length - at >= headBytes) {
      const end = at + headBytes + rest.readUInt32BE(at + 4)
      if (end > rest.length) break
      yield { unixSecond: rest.readUInt32BE(at), tick: rest.subarray(at + headBytes, end) }
      at = end
    }
    rest = rest.subarray(at)
  }
  if (rest.length > 0) throw new TypeError('The ticks that were written are cut off')
}
