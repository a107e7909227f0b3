import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { repositoryOfUrl } from './repository-url.ts'
import type { RunOrigin } from './run-origin.ts'

const run = promisify(execFile)

/**
 * What the checkout that `cwd` is in tells of itself and of a commit (the one checked out when left out). Nothing
 * where there is no git or no checkout.
 */
export async function readGit(cwd: string, commitHash = 'HEAD'): Promise<RunOrigin> {
  const [remote, branch, commit] = await Promise.all([
    git(cwd, ['remote', 'get-url', 'origin']),
    git(cwd, ['branch', '--show-current']),
    // Shallow clones may not have the commit; `--` keeps a name from being taken for a file.
    git(cwd, ['log', '-1', '--format=%H%n%cI%n%s', '--end-of-options', commitHash, '--']),
  ])
  const [hash, time, subject] = commit.split('\n')
  return {
    ...(remote === '' ? {} : { repository: repositoryOfUrl(remote) }),
    ...(branch === '' ? {} : { branch }),
    ...(hash === undefined || time === undefined || subject === undefined
      ? {}
      : {
          commitHash: hash,
          commitMessage: subject.slice(0, 2000),
          committedAt: new Date(time).toISOString(),
        }),
  }
}

/** The commit at which another one left a branch of `origin`; undefined in shallow clones, which may not know it. */
export async function findMergeBase(
  cwd: string,
  branch: string,
  commitHash = 'HEAD',
): Promise<string | undefined> {
  const refs = [`refs/remotes/origin/${branch}`, commitHash]
  return (await git(cwd, ['merge-base', '--end-of-options', ...refs])) || undefined
}

/** The root of the checkout that `cwd` is in; undefined where there is none. */
export async function findCheckout(cwd: string): Promise<string | undefined> {
  return (await git(cwd, ['rev-parse', '--show-toplevel'])) || undefined
}

/** Output of a git command without its line end; empty when it fails. */
async function git(cwd: string, args: string[]): Promise<string> {
  try {
    const { stdout } = await run('git', args, { cwd, timeout: 5000 })
    return stdout.trim()
  } catch {
    return ''
  }
}
