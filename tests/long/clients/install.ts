import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A package of npm at one version. */
export interface PackageVersion {
  package: string
  version: string
}

const cacheDir = join(tmpdir(), 'flamegate-clients')

/** Where the programs of an installed package are. */
export function programsOf({ package: name, version }: PackageVersion): string {
  return join(folderOf(name, version), 'node_modules', '.bin')
}

/**
 * Installs the package into a folder of its own under the system's temporary folder, once.
 * @returns why it could not be installed, or undefined
 */
export function install({ package: name, version }: PackageVersion): string | undefined {
  const folder = folderOf(name, version)
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return undefined
  mkdirSync(folder, { recursive: true })
  const { status, stderr, error } = spawnSync(
    'npm',
    ['install', '--prefix', folder, '--no-fund', '--no-audit', '--loglevel', 'error', `${name}@${version}`],
    {
      cwd: folder,
      encoding: 'utf8',
      timeout: 300_000,
      // Some of them need the Node.js that we run on.
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` },
    },
  )
  if (status === 0) return undefined
  return `npm install failed: ${error?.message ?? reasonIn(stderr)}`
}

function folderOf(name: string, version: string): string {
  return join(cacheDir, `${name.replace(/[^a-z0-9]+/g, '-')}@${version}`)
}

/** npm says the reason first, and where its log is last. */
function reasonIn(text: string): string {
  return text.trim().split('\n').slice(0, 2).join('; ')
}
