import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('an agent ends with the program that forked it, such as a platform that was killed', async () => {
  const agent = fork(
    join(import.meta.dirname, '../main.ts'),
    ['agent', '--group', 'default', '--workspace', 'ws_1'],
    {
      env: { PATH: process.env['PATH'], FLAMEGATE_URL: 'http://127.0.0.1:1', FLAMEGATE_TOKEN: 'fg_none' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  onTestFinished(() => void agent.kill('SIGKILL'))
  const ended = once(agent, 'exit')
  // It says that nobody answers, and tries again.
  await Promise.race([once(agent.stdout!, 'data'), once(agent.stderr!, 'data')])
  agent.disconnect()
  expect(await ended).toEqual([expect.any(Number), null])
})
