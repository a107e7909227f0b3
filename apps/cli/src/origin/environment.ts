import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { arch, cpus, platform, release } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The runtime that a project is measured with, told by the file that its projects have, and how to ask it for its
 * version. Only what the project uses is told: another runtime's update would look like another environment.
 */
const runtimes = [
  { name: 'node', manifest: 'package.json', command: 'node', args: ['--version'] },
  { name: 'go', manifest: 'go.mod', command: 'go', args: ['env', 'GOVERSION'] },
  { name: 'rust', manifest: 'Cargo.toml', command: 'rustc', args: ['--version'] },
  { name: 'python', manifest: 'pyproject.toml', command: 'python3', args: ['--version'] },
  { name: 'c++', manifest: 'CMakeLists.txt', command: 'c++', args: ['--version'] },
] as const

/** Facts about this machine and the toolchain of the project in `cwd`, which decide whether runs can be compared. */
export async function collectEnvironment(cwd: string): Promise<Record<string, string>> {
  const processors = cpus()
  const versions = await Promise.all(
    runtimes.map(async ({ name, manifest, command, args }) => {
      const version = (await exists(join(cwd, manifest))) ? await firstLineOf(command, args) : ''
      return version === '' ? [] : [[name, version] as const]
    }),
  )
  return {
    cpu: processors[0]?.model.trim() || 'unknown',
    cpu_count: String(processors.length),
    os: `${platform()} ${release()}`,
    arch: arch(),
    ...Object.fromEntries(versions.flat()),
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function firstLineOf(command: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(command, [...args], { timeout: 5000 })
    return stdout.trim().split('\n')[0]?.slice(0, 200) ?? ''
  } catch {
    return ''
  }
}
