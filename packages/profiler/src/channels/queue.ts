import type { MeasuredQueue, QueueOptions } from '../profiler.ts'
import type { ChannelMeter } from './channel-meter.ts'

export function createQueue<T>(meter: ChannelMeter, { capacity }: QueueOptions): MeasuredQueue<T> {
  let items: (T | undefined)[] = []
  let first = 0
  let isClosed = false
  const size = (): number => items.length - first

  meter.describe(capacity === undefined ? 'queue' : `queue[${capacity}]`, () => ({
    state: isClosed ? 'closed' : capacity !== undefined && size() >= capacity ? 'full' : 'active',
    queued: size(),
    ...(capacity !== undefined && { capacity }),
  }))
  return {
    get size() {
      return size()
    },
    put(item) {
      if (isClosed || (capacity !== undefined && size() >= capacity)) return false
      items.push(item)
      meter.put()
      return true
    },
    take() {
      if (size() === 0) return undefined
      const item = items[first]
      items[first] = undefined
      first++
      // Half of it is empty: what is left moves to the front, each item once in a while.
      if (first > 32 && first * 2 > items.length) {
        items = items.slice(first)
        first = 0
      }
      meter.taken()
      return item
    },
    close() {
      isClosed = true
    },
  }
}
