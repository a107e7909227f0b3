import type { LiveItem, LivePush, LiveSection } from '@flamegate/live'
import type { LivePart } from '@flamegate/live/push-queue'
import { EventEmitter } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { MessagePort, Worker, isMainThread, threadId } from 'node:worker_threads'
import { AllocationsMeter } from './allocations.ts'
import { ChannelMeter } from './channels/channel-meter.ts'
import { watchEmitter } from './channels/emitter.ts'
import { watchPort } from './channels/message-port.ts'
import { StreamGroup } from './channels/node-stream.ts'
import { createQueue } from './channels/queue.ts'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { Entry } from './entries.ts'
import { EventLoopMeter } from './event-loop.ts'
import { FunctionTiming, measured } from './functions.ts'
import { Future } from './futures.ts'
import { Gauge } from './gauges.ts'
import { Items } from './items.ts'
import { drainLogs } from './log.ts'
import type { Logged } from './log.ts'
import type { AllocationOptions, Instruments } from './profiler.ts'
import { IterableMeter } from './streams.ts'
import { ThreadsMeter } from './threads.ts'

type Sections = NonNullable<LivePush['sections']>
type Measured = Logged & { read: () => LiveItem }

export interface MeasurementOptions {
  logEntries?: number
  allocations?: AllocationOptions
  now?: Clock
  /** Milliseconds since 1970. */
  wallClock?: Clock
}

export interface Measurements extends Instruments {
  /** How all of it stands, and what was logged since the last time. */
  read: () => LivePart
  stop: () => void
}

/** A step of the wall clock that is larger moves the times of what is logged; what is smaller is only how coarse it is. */
const wallClockStepMs = 50

export function createMeasurements({
  logEntries = 100,
  allocations,
  now = systemClock,
  wallClock = Date.now,
}: MeasurementOptions = {}): Measurements {
  const functions = new Items((id, name) => new FunctionTiming(id, name, now, logEntries))
  const channels = new Items((id, name) => new ChannelMeter(id, name, now, logEntries))
  const streams = new Items((id, name) => new IterableMeter(id, name, now, logEntries))
  const futures = new Items((id, name) => new Future(id, name, now, logEntries))
  const gauges = new Items((id, name) => new Gauge(id, name, now, logEntries))
  const debug = new Items((id, name) => new Entry(id, name, now, logEntries))
  const values = new Items((id, name) => new Entry(id, name, now, logEntries))
  const logging: [LiveSection, Items<Measured>][] = [
    ['functions_timing', functions],
    ['channels', channels],
    ['streams', streams],
    ['futures', futures],
    ['gauges', gauges],
    ['debug', debug],
    ['values', values],
  ]
  const streamGroups = new Map<ChannelMeter, StreamGroup>()
  const eventLoop = new EventLoopMeter(isMainThread ? 'event loop' : `worker ${threadId}`, now)
  const threads = isMainThread ? new ThreadsMeter(now) : undefined
  const allocated = allocations && new AllocationsMeter(allocations)
  let epochOffsetMs = wallClock() - now()

  function watch(meter: ChannelMeter, channel: object): void {
    if (channel instanceof Readable || channel instanceof Writable) {
      const group = streamGroups.get(meter) ?? new StreamGroup(meter, now)
      streamGroups.set(meter, group)
      group.watch(channel)
    } else if (channel instanceof MessagePort || channel instanceof Worker) watchPort(channel, meter)
    else if (channel instanceof EventEmitter) watchEmitter(channel, meter, now)
    else throw new TypeError('A channel is a stream of Node.js, a MessagePort, a Worker or an EventEmitter.')
  }

  function read(): LivePart {
    const offset = wallClock() - now()
    if (Math.abs(offset - epochOffsetMs) > wallClockStepMs) epochOffsetMs = offset
    const at = Math.round(now() + epochOffsetMs)
    const sections: Sections = {
      functions_alloc: allocated?.read() ?? {
        status: 'off',
        reason:
          'The option `allocations` turns it on. To read the sampled heap collects all garbage at once.',
      },
      threads:
        threads === undefined
          ? { status: 'off', reason: 'The main thread tells it.' }
          : { status: 'on', items: threads.threads() },
      runtime: { status: 'on', items: [eventLoop.read(), ...(threads?.runtime() ?? [])] },
    }
    for (const [section, items] of logging)
      sections[section] = {
        status: 'on',
        items: Array.from(items, (item) => item.read()),
        ...(items.leftOut > 0 && { left_out: items.leftOut }),
      }
    const logs = logging.flatMap(([section, items]) => drainLogs(section, items, epochOffsetMs))
    return { at, sections, logs }
  }

  return {
    measure: (name, fn) => measured(fn, functions.of(name), now),
    measured: (name) => (method, context) =>
      measured(method, functions.of(name ?? String(context.name)), now),
    channel(name, channel) {
      watch(channels.of(name), channel)
      return channel
    },
    queue: (name, options = {}) => createQueue(channels.of(name), options),
    stream: (name, source) => streams.of(name).follow(source),
    future: (name, promise) =>
      futures.of(name).follow(typeof promise === 'function' ? promise : () => promise),
    gauge: (name) => gauges.of(name),
    value: (name, value) => values.of(name).add(value),
    debug(expression, value) {
      debug.of(expression).add(value)
      return value
    },
    read,
    stop() {
      eventLoop.stop()
      threads?.stop()
      allocated?.stop()
    },
  }
}
