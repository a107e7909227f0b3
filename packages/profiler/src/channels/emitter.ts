import type { EventEmitter } from 'node:events'
import type { Clock } from '../clock.ts'
import type { ChannelMeter } from './channel-meter.ts'
import { override } from './override.ts'

/** Counts what is emitted and what somebody heard, and how long its listeners took. */
export function watchEmitter(emitter: EventEmitter, meter: ChannelMeter, now: Clock): void {
  meter.describe('event_emitter', () => ({ state: 'active' }))
  override(emitter, 'emit', (emit) => (...args) => {
    meter.sent()
    const from = now()
    const isHeard: boolean = Reflect.apply(emit, emitter, args)
    if (isHeard) {
      meter.received()
      meter.processed(from)
    }
    return isHeard
  })
}
