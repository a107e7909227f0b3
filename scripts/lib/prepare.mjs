import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { inRoot, root } from './paths.mjs'
import { giveUp, say } from './say.mjs'
import { contentHash, isStamped, stamp } from './stamp.mjs'

export const pnpmVersion = '12.21.0'
const workspaceFolders = ['apps', 'packages']

/**
 * Brings a fresh or changed checkout to where it can run, with nothing but Node.js 20 and npm: packages, the database
 * client, the web pages, the documentation. What has been done and is still valid is skipped, which takes well under a second.
 */
export async function prepare() {
  checkNode()
  const installed = install()
  // None needs what another one makes, and each keeps one processor busy.
  await Promise.all([generateDatabaseClient(installed), buildWeb(installed), buildDocs(installed)])
}

/** The Node.js that everything runs on: the one among the packages, or our own if that is new enough. */
export function nodeToRunOn() {
  const fromPackages = inRoot('node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(fromPackages)) return fromPackages
  if (major() >= 24) return process.execPath
  return giveUp('Node.js 24 is missing from node_modules. Delete the folder node_modules and start again.')
}

function major() {
  return Number(process.versions.node.split('.')[0])
}

function checkNode() {
  if (major() >= 20) return
  giveUp(
    `This is Node.js ${process.versions.node}; Flamegate needs 20 or later to start (it then brings its own). ` +
      'Install a newer one from https://nodejs.org.',
  )
}

/** @returns {string} a hash that changes whenever the packages do */
function install() {
  const manifests = workspaceFolders.flatMap((folder) =>
    readdirSync(inRoot(folder)).map((name) => `${folder}/${name}/package.json`),
  )
  const others = ['bench', 'demo', 'tests'].map((folder) => `${folder}/package.json`)
  const hash = contentHash(
    ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests, ...others],
    [process.platform, process.arch],
  )
  if (isStamped('install', hash) && existsSync(inRoot('node_modules', '.modules.yaml'))) return hash
  say('Installing packages (only after a change; the first time takes a minute or two) …')
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
  const { status, error } = spawnSync(
    npx,
    ['--yes', `pnpm@${pnpmVersion}`, 'install', '--frozen-lockfile', '--config.confirm-modules-purge=false'],
    // Our standard error twice: its progress is for the person, not for whoever reads our output.
    { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' },
  )
  if (error) giveUp(`npx could not be run (${error.message}). It comes with Node.js: install that again.`)
  if (status !== 0) giveUp(whyNotInstalled())
  stamp('install', hash)
  return hash
}

function whyNotInstalled() {
  const ping = spawnSync('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=5000'], {
    stdio: 'ignore',
    timeout: 15_000,
    shell: process.platform === 'win32',
  })
  if (ping.status === 0) return 'The packages could not be installed; the lines above say why.'
  return (
    'The packages could not be installed: the package registry does not answer. Check the network, and behind a ' +
    'proxy `npm config set proxy …` or with a mirror `npm config set registry …`. Then run the same command again: ' +
    'it goes on where it stopped.'
  )
}

/** @param {string} installed */
async function generateDatabaseClient(installed) {
  const hash = contentHash(['prisma/schema.prisma', 'packages/db/generate.mjs'], [installed])
  if (isStamped('database-client', hash) && existsSync(inRoot('packages/db/src/generated'))) return
  say('Generating the database client …')
  await run('the database client could not be generated', 'packages/db', ['generate.mjs'])
  stamp('database-client', hash)
}

/** @param {string} installed */
async function buildWeb(installed) {
  const hash = contentHash(['apps/web', ...sourcesOf('apps/web')], [installed])
  if (isStamped('web', hash) && existsSync(inRoot('apps/web/dist/index.html'))) return
  say('Building the web pages …')
  await run('the web pages could not be built', 'apps/web', [
    'node_modules/vite/bin/vite.js',
    'build',
    '--logLevel',
    'warn',
  ])
  stamp('web', hash)
}

/**
 * The code of ours that a room is built with: of what it depends on, and of what that depends on.
 * @param {string} room
 * @returns {string[]}
 */
function sourcesOf(room) {
  const { dependencies = {} } = JSON.parse(readFileSync(inRoot(room, 'package.json'), 'utf8'))
  const rooms = Object.keys(dependencies)
    .filter((name) => name.startsWith('@flamegate/'))
    .map((name) => `packages/${name.slice('@flamegate/'.length)}`)
  return [...new Set(rooms.flatMap((each) => [`${each}/src`, ...sourcesOf(each)]))].toSorted()
}

/** @param {string} installed */
async function buildDocs(installed) {
  const hash = contentHash(['apps/docs', 'docs'], [installed])
  if (isStamped('docs', hash) && existsSync(inRoot('apps/docs/dist/index.html'))) return
  say('Building the documentation …')
  await run('the documentation could not be built', 'apps/docs', [
    'node_modules/vitepress/bin/vitepress.js',
    'build',
  ])
  stamp('docs', hash)
}

/**
 * Says what the program said only when it fails: others run beside it.
 * @param {string} complaint
 * @param {string} folder
 * @param {readonly string[]} args
 */
async function run(complaint, folder, args) {
  const child = spawn(nodeToRunOn(), args, { cwd: inRoot(folder), stdio: ['ignore', 'pipe', 'pipe'] })
  const [said, saidWrong, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  if (status === 0) return
  say(`${said}${saidWrong}`)
  giveUp(`Stopped: ${complaint}; the lines above say why.`)
}
