import type { MessagePort, Worker } from 'node:worker_threads'
import type { AnyFunction } from '../profiler.ts'
import type { ChannelMeter } from './channel-meter.ts'
import { override } from './override.ts'

/**
 * Counts what this side posts, and the messages that it hears. It listens only as long as the program does: a listener of ours
 * alone would start the port, and keep the program alive.
 */
export function watchPort(port: MessagePort | Worker, meter: ChannelMeter): void {
  let isClosed = false
  let isListening = false
  const on: AnyFunction = Reflect.get(port, 'on')
  const off: AnyFunction = Reflect.get(port, 'off')

  const count = (): void => {
    meter.received()
    // Once all have heard it: a listener that wanted one message is gone by then.
    queueMicrotask(adjust)
  }
  function adjust(): void {
    const all = port.listenerCount('message')
    // Ours may have been removed together with all.
    if (all === 0) isListening = false
    const isHeard = all > (isListening ? 1 : 0)
    if (isHeard === isListening) return
    isListening = isHeard
    Reflect.apply(isHeard ? on : off, port, ['message', count])
  }

  meter.describe('message_port', () => ({ state: isClosed ? 'closed' : 'active' }))
  override(port, 'postMessage', (post) => (...args) => {
    meter.sent()
    return Reflect.apply(post, port, args)
  })
  for (const method of ['close', 'terminate'])
    override(port, method, (close) => (...args) => {
      isClosed = true
      return Reflect.apply(close, port, args)
    })
  for (const method of [
    'on',
    'once',
    'addListener',
    'addEventListener',
    'off',
    'removeListener',
    'removeAllListeners',
    'removeEventListener',
  ])
    override(port, method, (change) => (...args) => {
      const result: unknown = Reflect.apply(change, port, args)
      adjust()
      return result
    })
  adjust()
}
