import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { listeningProcess } from './listening-process.ts'
import { ProcessTree } from './process-tree.ts'

/** A process with a child that is busy all the time; each says when it is there. */
async function startFamily(): Promise<number> {
  const busy = 'process.stdout.write("there"); for (;;);'
  const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(busy)}], { stdio: ['ignore', 'inherit', 'ignore'] })`
  const child = spawn(process.execPath, ['-e', parent], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  })
  await once(child.stdout, 'data')
  return child.pid ?? 0
}

test('ProcessTree tells what a process and its children use', async () => {
  const tree = new ProcessTree(await startFamily())
  const first = await tree.sample(performance.now())
  expect(first).toMatchObject({ cpuPercent: 0, processes: 2 })
  expect(first?.rssBytes).toBeGreaterThan(20e6)
  await expect.poll(async () => (await tree.sample(0))?.cpuPercent, { interval: 300 }).toBeGreaterThan(5)
})

test('ProcessTree has no sample of a process that has ended', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  expect(await new ProcessTree(child.pid ?? 0).sample(0)).toBeUndefined()
})

test.runIf(process.platform === 'linux')('what listens on a port of this machine is found', async () => {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  expect(await listeningProcess(port)).toBe(process.pid)
  server.close()
  await once(server, 'close')
  expect(await listeningProcess(port)).toBeUndefined()
})
