import { execFileSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const pnpm = ['--yes', 'pnpm@12.21.0']
const install = ['install', '--frozen-lockfile', '--prefer-offline', '--config.confirm-modules-purge=false']

/** The images that are made, and the app that each is of. */
const apps: Record<string, string> = {
  gateway: 'gateway',
  api: 'api',
  worker: 'worker',
  agent: 'cli',
  admin: 'platform',
}

/** The folder of each image's files, as deploy/Dockerfile makes them of a checkout, by the name of its stage. */
export function buildImages(checkout: string, folder: string): Map<string, string> {
  const made = new Map<string, string>()
  for (const [target, app] of Object.entries(apps)) {
    const image = join(folder, target)
    run(process.execPath, [join(checkout, 'deploy/image-files.mjs'), app, image], checkout)
    run('npx', [...pnpm, ...install, '--prod', '--ignore-scripts'], image)
    run(process.execPath, [join(root, 'deploy/prune-packages.mjs'), image], root)
    made.set(target, image)
  }
  for (const pages of ['apps/web/dist', 'apps/docs/dist']) {
    cpSync(join(checkout, pages), join(folder, 'gateway', pages), { recursive: true })
  }
  return made
}

/** The same of an older commit, which is checked out in a folder of its own. */
export function buildOldImages(commit: string, checkout: string, folder: string): Map<string, string> {
  checkOut(commit, checkout)
  return buildImages(checkout, folder)
}

/** A checkout beside this one, with its packages, its database client and its pages. */
function checkOut(commit: string, folder: string): void {
  run('git', ['worktree', 'add', '--quiet', '--detach', '--force', folder, commit], root)
  run('npx', [...pnpm, ...install], folder)
  run(process.execPath, ['packages/db/generate.mjs'], folder)
  run('npx', [...pnpm, '--dir', 'apps/web', 'exec', 'vite', 'build'], folder)
  // Nothing here looks at its pages.
  cpSync(join(root, 'apps/docs/dist'), join(folder, 'apps/docs/dist'), { recursive: true })
}

export function removeCheckout(folder: string): void {
  if (existsSync(folder)) run('git', ['worktree', 'remove', '--force', folder], root)
}

function run(command: string, args: string[], cwd: string): void {
  execFileSync(command, args, {
    cwd,
    env: { ...process.env, CI: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
