import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startTraffic, type Traffic } from './traffic.ts'

const port = '4270'
const url = `http://127.0.0.1:${port}`

/** What became of each promise about `npm start`: what did not hold of it. */
export type Outcome = [promise: string, exceptions: readonly unknown[]][]

/**
 * A data directory of `npm start` of an older checkout, taken up by a newer one and refused to the older, as docs/operations/upgrade.md
 * says, while clients go on calling.
 */
export async function upgradeDataDirectory(
  folder: string,
  { older, newer, isRefused }: { older: string; newer: string; isRefused: boolean },
): Promise<Outcome> {
  const dataDir = join(folder, 'npm-start')
  mkdirSync(dataDir, { mode: 0o700 })
  // Nothing is seeded for an account that is there already.
  const demo = { email: 'demo@flamegate.example', password: 'nobody logs in here', seeded: true }
  writeFileSync(join(dataDir, 'demo.json'), JSON.stringify(demo))

  const before = await start(older, dataDir)
  const traffic = await startTraffic(url, { agents: 1 })
  await wrote(traffic, 5)
  await before.stop()
  const after = await start(newer, dataDir)
  // What was sent while it was away is not what is looked at.
  await pause(2_000)
  const failuresMeanwhile = traffic.failures.length
  await wrote(traffic, 5)
  await traffic.stop()
  const failures = traffic.failures.slice(failuresMeanwhile)
  const missing = await traffic.missingRuns(traffic.runs)
  await after.stop()

  const outcome: Outcome = [
    ['`npm start` takes up the data directory of the older version', [...failures, ...missing]],
  ]
  // Versions that have the same migrations may take each other's place.
  if (!isRefused) return outcome
  const refused = await start(older, dataDir).then(
    async (running) => {
      await running.stop()
      return ['it started']
    },
    (error: unknown) => (/newer version of Flamegate/.test(String(error)) ? [] : [error]),
  )
  const again = await start(newer, dataDir)
  const missingAgain = await traffic.missingRuns(traffic.runs)
  await again.stop()
  return [
    ...outcome,
    ['`npm start` of the older version refuses it then, with a reason', refused],
    ['`npm start` leaves what it refuses as it was', missingAgain],
  ]
}

async function wrote(traffic: Traffic, writes: number): Promise<void> {
  const enough = traffic.counts.writes + writes
  while (traffic.counts.writes < enough) await pause(100)
}

interface Started {
  stop(): Promise<void>
}

/** @throws Error with all that it said when it ended instead */
async function start(checkout: string, dataDir: string): Promise<Started> {
  const child = spawn(process.execPath, [join(checkout, 'apps/platform/src/main.ts')], {
    cwd: checkout,
    env: { ...process.env, FLAMEGATE_PORT: port, FLAMEGATE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'close')
  while (child.exitCode === null) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok === true) {
      return {
        async stop() {
          child.kill('SIGTERM')
          await ended
        },
      }
    }
    await pause(200)
  }
  await ended
  throw new Error(said)
}
