import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { arch, cpus, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** A toolchain that takes longer, such as one that is being installed by its shim, is left out. */
const askWithinMs = 2000

interface Runtime {
  name: string
  /** Files of which a project that uses it has one. */
  manifests: readonly string[]
  /** Programs whose use shows it too. */
  commands: readonly string[]
  version: readonly [command: string, ...args: string[]]
}

/**
 * The runtimes that are asked for their version: those that the project or the command uses. Another one's update would
 * look like another environment, and cast doubt on every change.
 */
const runtimes: readonly Runtime[] = [
  {
    name: 'node',
    manifests: ['package.json'],
    commands: ['node', 'npm', 'npx', 'pnpm', 'yarn', 'vitest'],
    version: ['node', '--version'],
  },
  { name: 'go', manifests: ['go.mod'], commands: ['go'], version: ['go', 'env', 'GOVERSION'] },
  { name: 'rust', manifests: ['Cargo.toml'], commands: ['cargo'], version: ['rustc', '--version'] },
  {
    name: 'python',
    manifests: ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'tox.ini'],
    commands: ['python', 'python3', 'pytest', 'py.test', 'asv', 'tox', 'nox', 'uv'],
    version: ['python3', '--version'],
  },
  {
    name: 'java',
    manifests: ['pom.xml', 'build.gradle', 'build.gradle.kts'],
    commands: ['java', 'mvn', 'gradle', 'gradlew', 'mvnw'],
    version: ['java', '--version'],
  },
  {
    name: 'ruby',
    manifests: ['Gemfile'],
    commands: ['ruby', 'bundle', 'rake'],
    version: ['ruby', '--version'],
  },
  { name: 'c++', manifests: ['CMakeLists.txt'], commands: [], version: ['c++', '--version'] },
]

/**
 * Facts about this machine and the toolchain of the project in `cwd`, or of a command, which decide whether runs can be
 * compared.
 */
export async function collectEnvironment(cwd: string, command?: string): Promise<Record<string, string>> {
  const processors = cpus()
  const versions = await Promise.all(
    runtimes.map(async ({ name, manifests, commands, version: [program, ...args] }) => {
      const isUsed =
        (command !== undefined && commands.includes(command)) ||
        (await Promise.all(manifests.map((manifest) => exists(join(cwd, manifest))))).includes(true)
      const version = isUsed ? await firstLineOf(program, args) : ''
      return version === '' ? [] : [[name, version] as const]
    }),
  )
  return {
    cpu: processors[0]?.model.trim() || 'unknown',
    cpu_count: String(processors.length),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
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
    const { stdout } = await run(command, [...args], { timeout: askWithinMs })
    return stdout.trim().split('\n')[0]?.slice(0, 200) ?? ''
  } catch {
    return ''
  }
}
