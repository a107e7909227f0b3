// What the page /connect shows, given to the real programs from npm: the lines add the server and remove it, the files are
// taken, the guides and skills arrive. With an API token, so without a log-in; that is what `npm run long -- clients` is about,
// with the same lines.
//
//     npm run long -- connect
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { install } from './clients/install.ts'
import { confine, hostsFile } from './clients/offline.ts'
import { programs, skillInstaller } from './connect/programs.ts'

for (const { package: wanted } of [...programs, skillInstaller]) {
  const reason = install(wanted)
  if (reason === undefined) continue
  console.error(`SKIPPED: ${wanted.package} cannot be installed: ${reason}`)
  process.exit(1)
}
writeFileSync(hostsFile, '127.0.0.1 localhost\n')
const { command, env, description } = confine()
console.log(`The programs run ${description}.`)
const [program, ...args] = [...command, process.execPath, join(import.meta.dirname, 'connect/confined.ts')]
const { status } = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } })
rmSync(hostsFile)
process.exitCode = status ?? 1
