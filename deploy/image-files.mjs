// What the image of one app holds: the code of that app and of the rooms it stands on, without tests and samples, and the
// manifests from which `pnpm install --prod` installs what they need, and nothing else. `deploy/Dockerfile` runs it.
//
//     node deploy/image-files.mjs <app> <new folder>
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { argv } from 'node:process'

const root = resolve(import.meta.dirname, '..')
const [app, folder] = argv.slice(2)
if (app === undefined || folder === undefined || !existsSync(join(root, 'apps', app, 'package.json'))) {
  throw new Error('Usage: node deploy/image-files.mjs <app> <new folder>')
}

/** What only tests and people need. */
const leftOut = /^(?:node_modules|dist|samples|.*\.test\.tsx?|README\.md)$/

/** What is read besides code: migrations by whoever asks whether the database has them. */
const besides = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', 'LICENSE', 'prisma/migrations']

for (const path of [...roomsOf(`apps/${app}`), ...besides]) {
  const to = join(folder, path)
  mkdirSync(resolve(to, '..'), { recursive: true })
  cpSync(join(root, path), to, { recursive: true, filter: (source) => !leftOut.test(basename(source)) })
}

/**
 * A room and all it stands on.
 * @param {string} room its folder
 * @param {Set<string>} known
 * @returns {Set<string>}
 */
function roomsOf(room, known = new Set()) {
  if (known.has(room)) return known
  known.add(room)
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    if (name.startsWith('@flamegate/')) roomsOf(folderOf(name.slice('@flamegate/'.length)), known)
  }
  return known
}

/** @param {string} name */
function folderOf(name) {
  return existsSync(join(root, 'packages', name)) ? `packages/${name}` : `apps/${name}`
}
