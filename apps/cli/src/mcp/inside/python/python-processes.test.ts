import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { PythonProcesses } from './python-processes.ts'

test('a process that is there and tells of itself later is waited for, and is the one that came last', async () => {
  const processes = new PythonProcesses()
  onTestFinished(() => processes.close())
  const [wrapper, server] = [connect(processes.address), connect(processes.address)]
  await Promise.all([once(wrapper, 'connect'), once(server, 'connect')])
  wrapper.write('{"pid":1,"version":"3.12.0"}\n')
  setTimeout(() => server.write('{"pid":2,"version":"3.12.0"}\n'), 200)
  expect(await processes.latest()).toMatchObject({ pid: 2 })
  server.destroy()
  await expect.poll(async () => (await processes.latest())?.pid).toBe(1)
})
