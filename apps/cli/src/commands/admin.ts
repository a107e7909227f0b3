import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../usage-error.ts'
import type { CommandBody } from './command.ts'

/** It works on the database and the files themselves, so it belongs to the platform, and not to what is installed beside programs. */
const program = path.join(import.meta.dirname, '../../../platform/src/admin.ts')

export const admin: CommandBody = {
  details:
    'For whoever runs an installation, on the machine where it is installed. backup writes everything, database and files, into a new folder, while the installation runs; verify reads a backup and names what is not as it was written; restore makes a stopped installation what it was then; rotate-keys changes keys while it runs; export-workspace writes everything of one workspace into a file, and import-workspace makes a new one of it; sweep removes what is older than the plan of its workspace keeps it, and files in storage that the database does not know; incident says on the status page what does not work. The installation is that of FLAMEGATE_DATA_DIR, .flamegate when left out; one of several processes is told by FLAMEGATE_DATABASE_OWNER_URL, and by S3_BUCKET or FLAMEGATE_STORAGE_DIR.',
  examples: [
    'flamegate admin backup /backups/today',
    'flamegate admin verify /backups/today',
    'flamegate admin rotate-keys',
    'flamegate admin sweep --dry-run',
    'flamegate admin import-workspace acme.tar.gz --owner ada@example.com',
    'flamegate admin incident open api "Slow since noon"',
  ],
  positionals: ['command', 'arguments…'],
  options: [
    { name: 'replace', description: 'With restore: lose an installation that has accounts already.' },
    { name: 'without-keys', description: 'With backup: leave the master keys out, to be kept elsewhere.' },
    {
      name: 'only',
      value: '<kind>',
      description: 'With rotate-keys: only master, data or signing.',
    },
    { name: 'dry-run', description: 'With sweep: only tell how much would go.' },
    { name: 'owner', value: '<e-mail>', description: 'With import-workspace: whose it becomes.' },
  ],
  errorExitCode: 2,
  async run({ line, terminal }) {
    if (!existsSync(program)) {
      throw new UsageError('This belongs to the platform: run it from its checkout, where it is installed.')
    }
    const flags = ['replace', 'without-keys', 'dry-run'].flatMap((name) =>
      line.flag(name) === true ? [`--${name}`] : [],
    )
    const only = line.text('only')
    const owner = line.text('owner')
    const args = [
      ...line.positionals,
      ...flags,
      ...(only === undefined ? [] : [`--only=${only}`]),
      ...(owner === undefined ? [] : [`--owner=${owner}`]),
    ]
    const child = spawn(process.execPath, [program, ...args], {
      cwd: terminal.cwd,
      env: terminal.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.on('data', (bytes: Buffer) => terminal.passOn(bytes))
    child.stderr.on('data', (bytes: Buffer) => terminal.writeError(bytes.toString('utf8')))
    await once(child, 'close')
    return child.exitCode ?? 2
  },
}
