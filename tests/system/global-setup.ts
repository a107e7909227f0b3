import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startChosenRedis } from '../../packages/queue/src/testing.ts'
import { freePort } from '../free-port.ts'

/** What every system test knows of the one platform that runs for all of them. */
export interface RunningPlatform {
  url: string
  mcpUrl: string
  apiUrl: string
  pid: number
  demo: { email: string; password: string }
  dataDir: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    platform: RunningPlatform
    /** Where the platform asks for proofs in the DNS; nobody answers but whom a test starts there. */
    dnsPort: number
    /** Where it reports to GitHub, below `/api/v3`, and who says which job of GitHub Actions somebody is: likewise. */
    githubApiPort: number
    githubIssuerPort: number
  }
}

const bootMs = 300_000

/** Boots the platform as `npm start` does, on an empty data directory and a free port, with the demo in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flamegate-test-'))
  const redis = await startChosenRedis()
  const [dnsPort, githubApiPort, githubIssuerPort] = [await freePort(), await freePort(), await freePort()]
  const log: string[] = []
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../apps/platform/src/main.ts')], {
    env: {
      ...process.env,
      REDIS_URL: redis?.url,
      FLAMEGATE_PORT: String(await freePort()),
      FLAMEGATE_DATA_DIR: dataDir,
      FLAMEGATE_LOG_LEVEL: 'warn',
      // So that people come from addresses of their own: the limits of each address hold here, too.
      FLAMEGATE_TRUSTED_PROXIES: '127.0.0.1',
      FLAMEGATE_DNS_SERVERS: `127.0.0.1:${dnsPort}`,
      FLAMEGATE_GITHUB_API_URL: `http://127.0.0.1:${githubApiPort}/api/v3/`,
      FLAMEGATE_GITHUB_OIDC_ISSUER: `http://127.0.0.1:${githubIssuerPort}`,
      FLAMEGATE_WEBHOOKS_TO_LOOPBACK: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Where tests are broken off, nothing else is called.
  process.once('exit', () => child.kill('SIGTERM'))
  child.stdout.on('data', (chunk: Buffer) => log.push(chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()))

  async function stop(): Promise<void> {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await ended
    }
    await redis?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }

  const ready = await whenReady(join(dataDir, 'ready.json'), () => child.exitCode !== null).catch(
    async (error: unknown) => {
      await stop()
      throw new Error(`The platform did not start:\n${log.join('')}`, { cause: error })
    },
  )
  project.provide('platform', { ...ready, dataDir })
  project.provide('dnsPort', dnsPort)
  project.provide('githubApiPort', githubApiPort)
  project.provide('githubIssuerPort', githubIssuerPort)
  return stop
}

async function whenReady(path: string, hasEnded: () => boolean): Promise<Omit<RunningPlatform, 'dataDir'>> {
  const deadline = Date.now() + bootMs
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text !== undefined) return JSON.parse(text)
    if (hasEnded()) throw new Error('It ended.')
    if (Date.now() > deadline) throw new Error(`It was not ready within ${bootMs / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
