import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { childEnvironment, ended, lastWords, whenGone } from '@flamegate/loadtest-engine'

export interface ReadingProcess {
  processFile: URL
  /** Of the JavaScript heap of one process. */
  heapMegabytes: number
  /** What takes longer is given up. */
  timeoutMs: number
}

interface Reading {
  /** What the process is told first. */
  start: object
  /** What comes by its standard input. */
  content: AsyncIterable<Uint8Array>
  /** Answers what the process asks by its fifth descriptor; what cannot be answered ends the reading. */
  serve?: (child: ChildProcess, reject: (error: unknown) => void) => void
}

/**
 * Has a process of its own read content that anybody may have written; it is ended when it takes too much time. When it wants too
 * much memory V8 ends it; it would end us, too, were it a thread: what it cannot give at once, it does not wait for.
 * @returns what it says at last, or why it was given up
 */
export async function readInProcess<Done>(
  { processFile, heapMegabytes, timeoutMs }: ReadingProcess,
  { start, content, serve }: Reading,
): Promise<Done | { refused: string }> {
  const child = fork(processFile, {
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    env: childEnvironment(),
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'pipe', 'ipc', 'pipe'],
  })
  const said = lastWords(child)
  const { promise, resolve, reject } = Promise.withResolvers<Done | { refused: string }>()
  const refuse = (refused: string) => resolve({ refused })
  const timer = setTimeout(() => refuse('It takes too long to read. Import a part of it.'), timeoutMs)

  child.once('message', (message: Done) => resolve(message))
  child.once('error', reject)
  whenGone(child, (code, killedBy) => {
    // V8 aborts without memory, and the system kills without it.
    if (killedBy !== null) refuse('It takes too much memory to read. Import a part of it.')
    else reject(new Error(`The process ended with code ${code} before it was done. ${said()}`))
  })
  // One that is gone tells so by itself.
  child.send(start, () => undefined)
  const source = Readable.from(content)
  source.once('error', reject)
  if (child.stdin !== null) source.pipe(child.stdin).on('error', () => undefined)
  serve?.(child, reject)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await ended(child)
    if (!source.destroyed) {
      const closed = once(source, 'close')
      source.destroy()
      await closed
    }
  }
}
