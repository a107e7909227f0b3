import { ChannelMeter } from './channels/channel-meter.ts'
import { createQueue } from './channels/queue.ts'
import { systemClock } from './clock.ts'
import type { Profiler } from './profiler.ts'

/** Everything works, and nothing is measured: an instrumented program runs anywhere. */
export function notMeasuring(): Profiler {
  return {
    isOn: false,
    measure: (_name, fn) => fn,
    measured: () => (method) => method,
    channel: (_name, channel) => channel,
    queue: (name, options = {}) => createQueue(new ChannelMeter('off', name, systemClock, 0), options),
    async *stream(_name, source) {
      yield* source
    },
    future: async (_name, promise) => (typeof promise === 'function' ? promise() : promise),
    gauge: () => ({ set: () => {}, inc: () => {} }),
    value: () => {},
    debug: (_expression, value) => value,
    state: () => undefined,
    stop: async () => {},
  }
}
