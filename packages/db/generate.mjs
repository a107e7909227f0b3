// Writes the Prisma client into src/generated/. Run by the prepare step; does nothing when the schema is unchanged.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const schema = path.join(here, '../../prisma/schema.prisma')
const generated = path.join(here, 'src/generated')
const stamp = path.join(generated, '.stamp')

const prismaPackage = createRequire(import.meta.url).resolve('prisma/package.json')
const { version, bin } = JSON.parse(readFileSync(prismaPackage, 'utf8'))
const wanted = createHash('sha256').update(version).update(readFileSync(schema)).digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const cli = path.join(path.dirname(prismaPackage), typeof bin === 'string' ? bin : bin.prisma)
  // Generating needs no engine, but Prisma would download one; a name that exists keeps it from trying.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  }
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cli, 'generate', `--schema=${schema}`, '--no-hints'],
    { cwd: here, env, encoding: 'utf8', timeout: 120_000 },
  )
  if (status !== 0) {
    process.stderr.write(`prisma generate failed:\n${stdout}${stderr}`)
    process.exit(1)
  }
  // Last, so that an interrupted run is done again.
  writeFileSync(stamp, wanted)
}
