import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Diagnosis } from '@flamegate/mcp-profiling'

const root = join(import.meta.dirname, '../../..')
const faultyServer = join(root, 'apps/cli/src/mcp/testing/faulty-server.ts')
const outputBytesMax = 64e6

export type Transport = 'stdio' | 'http'

/** Runs `mcp-profiler diagnose` on the server with these faults, started anew, in a process of its own. */
export async function diagnoseServer(
  faults: readonly string[],
  { transport, duration, cwd }: { transport: Transport; duration: string; cwd: string },
): Promise<Diagnosis> {
  const args = [faultyServer, '--faults', faults.join()]
  const server =
    transport === 'http'
      ? spawn(process.execPath, [...args, '--port'], { stdio: ['ignore', 'pipe', 'inherit'] })
      : undefined
  try {
    const [url]: unknown[] = server === undefined ? [] : await once(server.stdout, 'data')
    const target = server === undefined ? ['--', process.execPath, ...args] : ['--mcp', String(url).trim()]
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        join(root, 'apps/cli/src/mcp-profiler.ts'),
        'diagnose',
        '--duration',
        duration,
        '--json',
        '--no-keep',
        ...target,
      ],
      { cwd, maxBuffer: outputBytesMax },
    )
    return JSON.parse(stdout).diagnosis
  } finally {
    server?.kill()
  }
}
