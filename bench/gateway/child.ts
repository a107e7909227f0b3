import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/** A process of the benchmark, which answers one question at a time. */
export interface Child {
  url: string
  ask<Answer>(question: object): Promise<Answer>
  stop(): Promise<void>
}

const taskset = ['/usr/bin/taskset', '/bin/taskset'].find((path) => existsSync(path))

/** Whether each process can be kept on the core it was given. */
export const isPinned = taskset !== undefined && availableParallelism() > 1

/**
 * Starts `file` (relative to this folder) on one core and waits until it is ready. Its log goes to /dev/null, as
 * written as it would be to a file.
 */
export async function startChild(
  file: string,
  core: 0 | 1,
  given: object = {},
  flags: string[] = [],
): Promise<Child> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(given)], {
    execPath: isPinned ? taskset : process.execPath,
    execArgv: [...(isPinned ? ['-c', String(core), process.execPath] : []), ...flags, '--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // What a deployment has.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const { url } = await next<{ url: string }>(child)
  return {
    url,
    async ask<Answer>(question: object) {
      child.send(question)
      return next<Answer>(child)
    },
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function next<Message>(child: ChildProcess): Promise<Message> {
  const ended = new AbortController()
  const end = once(child, 'exit', { signal: ended.signal }).then(
    ([code]) => {
      throw new Error(`A process of the benchmark ended with code ${String(code)}`)
    },
    () => undefined,
  )
  try {
    const [message] = await Promise.race([once(child, 'message'), end.then(() => [])])
    return message
  } finally {
    ended.abort()
  }
}
