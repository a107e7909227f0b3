import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'
import { createServer } from './server.ts'
import { installShutdown } from './shutdown.ts'
import type { ShutdownStep } from './shutdown.ts'

const log = createLogger({ level: 'silent' })

class FakeProcess extends EventEmitter {
  exitCodes: number[] = []
  exit(code: number) {
    this.exitCodes.push(code)
  }
}

function start(steps: ShutdownStep[], deadlineMs = 1_000) {
  const host = new FakeProcess()
  return { host, shutdown: installShutdown({ log, steps, deadlineMs, process: host }) }
}

test('a signal runs the steps in order, each after the one before, and exits with 0', async () => {
  const seen: string[] = []
  const { host } = start([
    { name: 'slow', run: () => sleep(20).then(() => seen.push('slow')) },
    { name: 'quick', run: () => void seen.push('quick') },
  ])
  host.emit('SIGTERM')
  await expect.poll(() => host.exitCodes).toEqual([0])
  expect(seen).toEqual(['slow', 'quick'])
})

test('a step that fails does not keep the others from running, and shows in the exit code', async () => {
  const seen: string[] = []
  const { host } = start([
    { name: 'broken', run: () => Promise.reject(new Error('no')) },
    { name: 'after', run: () => void seen.push('after') },
  ])
  host.emit('SIGINT')
  await expect.poll(() => host.exitCodes).toEqual([1])
  expect(seen).toEqual(['after'])
})

test('a step that hangs is left behind at the deadline', async () => {
  const { host } = start([{ name: 'hangs', run: () => new Promise(() => {}) }], 30)
  host.emit('SIGINT')
  await expect.poll(() => host.exitCodes).toEqual([1])
})

test('what a start still adds is stopped, too, and the start is told to end', async () => {
  const seen: string[] = []
  const steps: ShutdownStep[] = [{ name: 'last', run: () => void seen.push('last') }]
  const { host, shutdown } = start(steps)
  const starting = sleep(10).then(() => steps.unshift({ name: 'late', run: () => void seen.push('late') }))
  steps.unshift({ name: 'starting', run: () => starting.then(() => seen.push('starting')) })
  expect(shutdown.signal.aborted).toBe(false)
  host.emit('SIGINT')
  expect(shutdown.signal.aborted).toBe(true)
  await expect.poll(() => host.exitCodes).toEqual([0])
  expect(seen).toEqual(['starting', 'late', 'last'])
})

test('a second signal leaves at once', async () => {
  const { host } = start([{ name: 'hangs', run: () => new Promise(() => {}) }], 60_000)
  host.emit('SIGINT')
  host.emit('SIGINT')
  expect(host.exitCodes).toEqual([130])
})

test('an uncaught error stops the process tidily with exit code 1', async () => {
  const { host } = start([])
  host.emit('uncaughtException', new Error('bug'))
  await expect.poll(() => host.exitCodes).toEqual([1])
})

test('a request in flight is finished before the server is closed', async () => {
  const app = createServer({ log })
  const begun = Promise.withResolvers<void>()
  app.get('/slow', async () => {
    begun.resolve()
    await sleep(150)
    return 'done'
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const { host } = start([{ name: 'http', run: () => app.close() }])
  const answer = fetch(`${address}/slow`)
  await begun.promise
  host.emit('SIGTERM')
  expect(await (await answer).text()).toBe('done')
  await expect.poll(() => host.exitCodes).toEqual([0])
  await expect(fetch(`${address}/slow`)).rejects.toThrow('fetch failed')
})
