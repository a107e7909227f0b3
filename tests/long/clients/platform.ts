import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../free-port.ts'

export interface RunningPlatform {
  /** Where it listens. */
  origin: string
  stop(): Promise<void>
}

const main = join(import.meta.dirname, '../../../apps/platform/src/main.ts')
const bootMs = 300_000

/** What `npm start` runs, with a database of its own in `dataDir`. */
export async function startPlatform(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<RunningPlatform> {
  const port = await freePort()
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...settings, FLAMEGATE_PORT: String(port), FLAMEGATE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += String(chunk)))
  const ended = new Promise((done) => child.once('exit', done))
  const deadline = Date.now() + bootMs
  while (!existsSync(join(dataDir, 'ready.json'))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGTERM')
      throw new Error(`The platform did not start:\n${log}`)
    }
    await sleep(100)
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
