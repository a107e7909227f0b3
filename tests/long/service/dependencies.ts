import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { end, type Output } from '../fleet/processes.ts'

/** A server that is not of ours, and that can be lost. */
export interface Dependency {
  port: number
  readonly pid: number
  kill(): Promise<void>
  /** Gives the port, which may be another one. */
  start(): Promise<number>
}

const storeSchema = z.object({
  endpoint: z.url(),
  bucket: z.string(),
  region: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
})

/** A Redis that keeps nothing: killed, it has lost all. */
export async function startRedis(port: number): Promise<Dependency> {
  let child: ChildProcess | undefined
  const start = async () => {
    const args = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--maxmemory-policy',
      'noeviction',
    ]
    child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    await lineOf(child, (line) => line.includes('Ready to accept connections'))
    return port
  }
  await start()
  return { port, ...runs(() => child), start }
}

/** An S3-compatible store that keeps its objects in a folder, whatever happens to the process. */
export async function startObjectStore(folder: string, output: Output) {
  let child: ChildProcess | undefined
  let server = storeSchema.parse({
    endpoint: 'http://localhost',
    bucket: '',
    region: '',
    accessKeyId: '',
    secretAccessKey: '',
  })
  const start = async () => {
    child = spawn(process.execPath, [join(import.meta.dirname, 'object-store.ts'), folder], {
      stdio: ['ignore', 'pipe', output],
    })
    server = storeSchema.parse(JSON.parse(await lineOf(child, (line) => line.startsWith('{'))))
    return Number(new URL(server.endpoint).port)
  }
  const port = await start()
  return { port, ...runs(() => child), start, server }
}

function runs(child: () => ChildProcess | undefined) {
  return {
    get pid() {
      return child()?.pid ?? 0
    },
    async kill() {
      const running = child()
      if (running !== undefined) await end({ child: running }, 'SIGKILL')
    },
  }
}

/** The first such line that a process says. */
async function lineOf(child: ChildProcess, isIt: (line: string) => boolean): Promise<string> {
  const { stdout } = child
  if (stdout === null) throw new TypeError('Its output is not read')
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${child.spawnfile} ended before it was ready`)
  })
  const found = new Promise<string>((resolve) => {
    createInterface({ input: stdout }).on('line', (line) => {
      if (isIt(line)) resolve(line)
    })
  })
  const line = await Promise.race([found, ended])
  ended.catch(() => undefined)
  return line
}
