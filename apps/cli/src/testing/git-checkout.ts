import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A git checkout in a new folder with one empty commit per message; gives the folder and their hashes. */
export async function gitCheckout(
  messages: readonly string[],
  options: { branch?: string; remote?: string } = {},
): Promise<{ folder: string; hashes: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-cli-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.com',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.com',
        GIT_COMMITTER_DATE: '2026-11-20T11:00:00+01:00',
      },
    }).trim()
  git('init', '--quiet', '--initial-branch', options.branch ?? 'main')
  if (options.remote !== undefined) git('remote', 'add', 'origin', options.remote)
  const hashes = messages.map((message) => {
    git('commit', '--quiet', '--allow-empty', '--message', message)
    return git('rev-parse', 'HEAD')
  })
  return { folder, hashes }
}
