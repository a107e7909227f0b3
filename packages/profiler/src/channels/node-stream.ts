import { Duplex, Writable } from 'node:stream'
import type { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'
import type { ChannelLevels, ChannelMeter } from './channel-meter.ts'
import { override } from './override.ts'

type Callback = (error?: Error | null) => void

/** Streams of one name, and what they hold between those who write and those who read. */
export class StreamGroup {
  readonly #meter: ChannelMeter
  readonly #now: Clock
  /** Weak, because a stream that is never closed must not stay only because it is measured. */
  readonly #open = new Set<WeakRef<Readable | Writable>>()
  #instances = 0
  #closed = 0

  constructor(meter: ChannelMeter, now: Clock) {
    this.#meter = meter
    this.#now = now
  }

  /** Looks at what goes through a stream, without changing how it flows: it does not begin to, and nothing is kept. */
  watch(stream: Readable | Writable): void {
    this.#instances++
    const reference = new WeakRef(stream)
    this.#open.add(reference)
    stream.once('close', () => {
      this.#closed++
      this.#open.delete(reference)
    })
    this.#meter.describe(kindOf(stream), () => this.#look())
    // Of a stream with both sides, items go in by writing; what its other side holds shows in the bytes.
    if (isWritable(stream)) watchWrites(stream, this.#meter, this.#now)
    else watchReads(stream, this.#meter)
  }

  #look(): ChannelLevels {
    let queued = 0
    let bytes = 0
    let capacity = 0
    let isFull = false
    let areItems = true
    for (const reference of this.#open) {
      const stream = reference.deref()
      if (stream === undefined) {
        this.#open.delete(reference)
        continue
      }
      const sides = sidesOf(stream)
      for (const { length, mark, isObjects } of sides) {
        if (isObjects) queued += length
        else bytes += length
        if (isObjects) capacity += mark
        else areItems = false
        if (mark > 0 && length >= mark) isFull = true
      }
    }
    return {
      state: this.#closed === this.#instances ? 'closed' : isFull ? 'full' : 'active',
      ...(areItems ? { queued, capacity } : { queued_bytes: bytes }),
      instances: this.#instances,
      closed_instances: this.#closed,
    }
  }
}

/** Of a duplex, too. */
function isWritable(stream: Readable | Writable): stream is Writable {
  return stream instanceof Writable
}

function sidesOf(stream: Readable | Writable): { length: number; mark: number; isObjects: boolean }[] {
  const sides = []
  if ('readableLength' in stream)
    sides.push({
      length: stream.readableLength,
      mark: stream.readableHighWaterMark,
      isObjects: stream.readableObjectMode,
    })
  if ('writableLength' in stream)
    sides.push({
      length: stream.writableLength,
      mark: stream.writableHighWaterMark,
      isObjects: stream.writableObjectMode,
    })
  return sides
}

function kindOf(stream: Readable | Writable): string {
  const [first] = sidesOf(stream)
  const sides = stream instanceof Duplex ? 'duplex' : isWritable(stream) ? 'writable' : 'readable'
  return `${sides} stream[${first?.mark ?? 0}${first?.isObjects === true ? '' : ' bytes'}]`
}

/** What is handed to the stream's implementation has left the queue: it takes one after the other, in order. */
function watchWrites(stream: Writable, meter: ChannelMeter, now: Clock): void {
  const timed = (done: Callback): Callback => {
    const from = now()
    return (error) => {
      meter.processed(from)
      done(error)
    }
  }
  override(stream, 'write', (write) => (...args) => {
    meter.put()
    return Reflect.apply(write, stream, args)
  })
  override(stream, 'end', (end) => (...args) => {
    const [chunk] = args
    if (chunk !== undefined && chunk !== null && typeof chunk !== 'function') meter.put()
    return Reflect.apply(end, stream, args)
  })
  override(stream, '_write', (work) =>
    // The one that a class has when it has none of its own calls `_writev`.
    work === Reflect.get(Writable.prototype, '_write')
      ? work
      : (chunk: unknown, encoding: string, done: Callback) => {
          meter.taken()
          Reflect.apply(work, stream, [chunk, encoding, timed(done)])
        },
  )
  override(stream, '_writev', (work) => (chunks: unknown[], done: Callback) => {
    chunks.forEach(() => meter.taken())
    Reflect.apply(work, stream, [chunks, timed(done)])
  })
}

/** Chunks may be joined and cut on their way, so that none can be followed through. */
function watchReads(stream: Readable, meter: ChannelMeter): void {
  override(stream, 'push', (push) => (...args) => {
    if (args[0] !== null) meter.sent()
    return Reflect.apply(push, stream, args)
  })
  // The stream tells each chunk that anybody reads, in whichever way. To listen would set it flowing.
  override(stream, 'emit', (emit) => (...args) => {
    if (args[0] === 'data') meter.received()
    return Reflect.apply(emit, stream, args)
  })
}
