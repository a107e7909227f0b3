import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

const hello = z.object({ pid: z.int(), version: z.string() })
const answer = z.union([z.object({ result: z.unknown() }), z.object({ error: z.string() })])

/** A Python that says nothing for so long says nothing at all. */
const helloMsMax = 3000

/** A process of Python that waits for what it is to measure. */
export interface PythonProcess {
  pid: number
  version: string
  /** @throws Error when it refuses, or is gone */
  ask: (method: string, params: object) => Promise<unknown>
}

/** Where processes of Python that are started with its environment tell of themselves. */
export class PythonProcesses {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'mcp-profiler-'))
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #processes = new Map<Socket, PythonProcess>()
  /** Those that are there and have not said who they are. */
  #unheard = 0

  constructor() {
    this.#server = createServer((socket) => void this.#welcome(socket)).listen(this.address)
    this.#server.on('error', () => undefined)
    // A server that does not come to be is no reason to stay.
    this.#server.unref()
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true }))
  }

  get address(): string {
    return path.join(this.#folder, 'python')
  }

  /**
   * The one that came last and is still there: others have started it. A thread of each tells of itself, which may be a while after the
   * server that it runs has answered.
   */
  async latest(): Promise<PythonProcess | undefined> {
    for (const endMs = performance.now() + helloMsMax; ;) {
      // Whoever has connected meanwhile is heard of.
      await pause(20)
      const found = [...this.#processes.values()].at(-1)
      if ((found !== undefined && this.#unheard === 0) || performance.now() > endMs) return found
    }
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #welcome(socket: Socket): Promise<void> {
    this.#sockets.add(socket)
    socket.unref()
    const gone = once(socket, 'close').then(() => {
      this.#processes.delete(socket)
      throw new Error('The process of Python has ended.')
    })
    gone.catch(() => undefined)
    socket.on('error', () => undefined)
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
    const next = async (): Promise<unknown> => {
      const line = await Promise.race([lines.next(), gone])
      return JSON.parse(String(line.value))
    }
    this.#unheard++
    try {
      const { pid, version } = hello.parse(await next().finally(() => this.#unheard--))
      this.#processes.set(socket, {
        pid,
        version,
        async ask(method, params) {
          socket.write(`${JSON.stringify({ method, params })}\n`)
          const said = answer.parse(await next())
          if ('error' in said) throw new Error(said.error)
          return said.result
        },
      })
    } catch {
      // It ended before it said anything.
    }
  }
}
