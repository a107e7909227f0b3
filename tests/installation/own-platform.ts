import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChosenRedis } from '../../packages/queue/src/testing.ts'
import { freePort } from '../free-port.ts'

/** A platform with other settings than the one that all tests share; the demo's account has no projects. */
export interface OwnPlatform {
  /** Under the name `localhost`, where browsers offer passkeys without TLS. */
  url: string
  demo: { email: string; password: string }
  /** The links to `path` in the mails so far, which are in the log, oldest first. */
  mailedLinks(path: string): string[]
  /** Everything that it said so far: its log. */
  output(): string
  /** Runs one of the operator's programs beside it. */
  run(program: string, args: string[]): Promise<{ exitCode: number | null; output: string }>
  stop(): Promise<void>
}

const programs = join(import.meta.dirname, '../../apps/platform/src')
const bootMs = 150_000

/** @param ofAnother A data directory that is there already, and stays. */
export async function startOwnPlatform(
  env: Record<string, string>,
  ofAnother?: string,
): Promise<OwnPlatform> {
  const dataDir = ofAnother ?? (await mkdtemp(join(tmpdir(), 'flamegate-own-')))
  const demo = { email: 'demo@flamegate.example', password: 'nobody logs in here', seeded: true }
  if (ofAnother === undefined) await writeFile(join(dataDir, 'demo.json'), JSON.stringify(demo))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const redis = await startChosenRedis()
  const settings = {
    ...process.env,
    REDIS_URL: redis?.url,
    FLAMEGATE_PORT: String(port),
    FLAMEGATE_PUBLIC_URL: url,
    FLAMEGATE_DATA_DIR: dataDir,
    FLAMEGATE_LOG_LEVEL: 'info',
    FLAMEGATE_LOG_FORMAT: 'text',
    ...env,
  }
  const start = (program: string, args: string[]) =>
    spawn(process.execPath, [join(programs, program), ...args], {
      env: settings,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const child = start('main.ts', [])
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))

  async function stop(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    await redis?.stop()
    if (ofAnother === undefined) await rm(dataDir, { recursive: true, force: true })
  }

  const deadline = Date.now() + bootMs
  while (!output.includes('Flamegate is ready at')) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error(`The platform did not start:\n${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    url,
    demo,
    mailedLinks: (path) => output.split(/\s+/).filter((word) => word.startsWith(`${url}${path}?token=`)),
    output: () => output,
    async run(program, args) {
      const running = start(program, args)
      let said = ''
      running.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
      running.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
      await once(running, 'close')
      return { exitCode: running.exitCode, output: said }
    },
    stop,
  }
}
