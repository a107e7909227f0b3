import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningPlatform } from '../../system/global-setup.ts'
import { usePlatform } from '../../system/person.ts'
import { freePort } from '../../free-port.ts'

/** A platform as `npm start` boots it, which the helpers of the system tests use from now on. */
export interface Alone {
  platform: RunningPlatform
  hasEnded(): boolean
  /** `look` is shown all that it has logged to its end, before that is removed. */
  stop(look?: (log: string) => void): Promise<void>
}

const main = join(import.meta.dirname, '../../../apps/platform/src/main.ts')
const bootMs = 300_000

/** Without limits of calls, so that many can be made. */
export async function startAlone(settings: Readonly<Record<string, string>> = {}): Promise<Alone> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flamegate-alone-'))
  // Nothing is seeded for an account that is there already.
  const demo = { email: 'demo@flamegate.example', password: 'nobody logs in here', seeded: true }
  await writeFile(join(dataDir, 'demo.json'), JSON.stringify(demo))
  const logPath = join(dataDir, 'log')
  const log = openSync(logPath, 'a')
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      FLAMEGATE_PORT: String(await freePort()),
      FLAMEGATE_DATA_DIR: dataDir,
      FLAMEGATE_LOG_LEVEL: 'error',
      FLAMEGATE_RATE_LIMITS: 'off',
      FLAMEGATE_TRUSTED_PROXIES: '127.0.0.1',
      ...settings,
    },
    stdio: ['ignore', log, log],
  })
  // It does not outlive this program.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      child.kill('SIGTERM')
      process.exit(1)
    })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const readLog = () => readFileSync(logPath, 'utf8')
  const stop = async (look?: (log: string) => void) => {
    if (!hasEnded()) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    look?.(readLog())
    await rm(dataDir, { recursive: true, force: true })
  }
  const deadline = Date.now() + bootMs
  for (;;) {
    const ready = await readFile(join(dataDir, 'ready.json'), 'utf8').catch(() => undefined)
    if (ready !== undefined) {
      const platform: RunningPlatform = { ...JSON.parse(ready), dataDir }
      usePlatform(platform)
      return { platform, hasEnded, stop }
    }
    if (hasEnded() || Date.now() > deadline) {
      const said = readLog()
      await stop()
      throw new Error(`The platform did not start:\n${said}`)
    }
    await sleep(100)
  }
}
