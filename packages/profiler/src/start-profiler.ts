import type { LiveProgram } from '@flamegate/live'
import { liveLimits } from '@flamegate/live/limits'
import { plainText } from '@flamegate/live/plain-text'
import { createPushQueue } from '@flamegate/live/push-queue'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import path from 'node:path'
import { threadId } from 'node:worker_threads'
import { createMeasurements } from './measurements.ts'
import { notMeasuring } from './not-measuring.ts'
import type { Profiler, ProfilerOptions } from './profiler.ts'
import { createSender } from './send-push.ts'
import type { Destination } from './send-push.ts'

/** Begins to measure this thread's program, and to push to a live app. Never throws: the program is more important. */
export function startProfiler(options: ProfilerOptions = {}): Profiler {
  const onError = safely(options.onError ?? warn)
  const destination = destinationOf(options, onError)
  if (destination === undefined) return notMeasuring()

  const { intervalMs = 1000, bufferBytesMax = 8 * 2 ** 20, exitMs = 2000 } = options
  const measurements = createMeasurements(options)
  const queue = createPushQueue({
    session: randomUUID(),
    program: describeProgram(options),
    send: createSender(destination),
    bytesMax: bufferBytesMax,
    onRefused: (reason) => onError(new Error(`A push was refused, and is lost. ${reason}`)),
    onGivenUp: (reason) => {
      onError(new Error(`Nothing is pushed any more. ${reason}`))
      end()
    },
    startTimer: (run, ms) => {
      const timer = setTimeout(run, ms).unref()
      return () => clearTimeout(timer)
    },
  })
  const push = (): void => {
    try {
      queue.add(measurements.read())
    } catch (error) {
      onError(errorOf(error))
    }
  }
  const timer = setInterval(push, intervalMs).unref()
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= pushAndStop())
  const stopAtEnd = (): void => void stop()
  process.once('beforeExit', stopAtEnd)

  function end(): void {
    clearInterval(timer)
    process.off('beforeExit', stopAtEnd)
    measurements.stop()
  }

  async function pushAndStop(): Promise<void> {
    push()
    end()
    // Nothing of ours keeps the program alive; this does, for the last push.
    const alive = setTimeout(() => {}, exitMs)
    await queue.drain(exitMs)
    clearTimeout(alive)
    queue.close()
  }

  return {
    ...measurements,
    channel(name, channel) {
      try {
        return measurements.channel(name, channel)
      } catch (error) {
        onError(errorOf(error))
        return channel
      }
    },
    isOn: true,
    state: queue.state,
    stop,
  }
}

function destinationOf(options: ProfilerOptions, onError: (error: Error) => void): Destination | undefined {
  const url = options.url ?? process.env['FLAMEGATE_LIVE_URL']
  const app = options.app ?? process.env['FLAMEGATE_LIVE_APP']
  const token = options.token ?? process.env['FLAMEGATE_LIVE_TOKEN']
  if (!url) return undefined
  if (!app || !token) {
    onError(
      new Error('The profiler needs FLAMEGATE_LIVE_APP and FLAMEGATE_LIVE_TOKEN, or `app` and `token`.'),
    )
    return undefined
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    onError(new Error('The profiler was given an address that is no http or https URL.'))
    return undefined
  }
  return { url: new URL(url), app, token }
}

function describeProgram({ name, version }: ProfilerOptions): LiveProgram {
  const file = process.argv[1]
  const own = name ?? process.env['npm_package_name'] ?? (file === undefined ? '' : path.basename(file))
  return {
    name: wordOf(own) || 'node',
    source: 'profiler',
    language: 'JavaScript',
    runtime: `Node.js ${process.versions.node}${threadId === 0 ? '' : `, worker ${threadId}`}`,
    ...(version !== undefined && { version: wordOf(version) }),
    host: hostname(),
    pid: process.pid,
    started_at: Math.round(performance.timeOrigin),
  }
}

/** A program without types may give anything. */
function wordOf(given: unknown): string {
  return plainText(String(given), liveLimits.nameMax)
}

function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

function warn(error: Error): void {
  process.emitWarning(error.message, 'FlamegateProfilerWarning')
}

function safely(callback: (error: Error) => void): (error: Error) => void {
  return (error) => {
    try {
      callback(error)
    } catch {
      // Who is told of errors and fails must not end the program.
    }
  }
}
