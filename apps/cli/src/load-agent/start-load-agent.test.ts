import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

function startAgent(): { agent: ChildProcess; ended: Promise<unknown[]> } {
  const agent = fork(
    join(import.meta.dirname, '../main.ts'),
    ['agent', '--group', 'default', '--workspace', 'ws_1'],
    {
      env: { PATH: process.env['PATH'], FLAMEGATE_URL: 'http://127.0.0.1:1', FLAMEGATE_TOKEN: 'fg_none' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  onTestFinished(() => void agent.kill('SIGKILL'))
  return { agent, ended: once(agent, 'exit') }
}

test('an agent ends with the program that forked it, such as a platform that was killed', async () => {
  const { agent, ended } = startAgent()
  // It says that nobody answers, and tries again.
  await Promise.race([once(agent.stdout!, 'data'), once(agent.stderr!, 'data')])
  agent.disconnect()
  expect(await ended).toEqual([expect.any(Number), null])
})

test('also with one that went while it started', async () => {
  const { agent, ended } = startAgent()
  agent.disconnect()
  expect(await ended).toEqual([expect.any(Number), null])
})
