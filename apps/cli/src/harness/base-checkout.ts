import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readGit } from '../origin/git.ts'
import type { RunOrigin } from '../origin/run-origin.ts'
import { UsageError } from '../usage-error.ts'
import type { RepeatPlan } from './repeat-options.ts'

const run = promisify(execFile)

/** A commit, as far as git knows it. */
export type BaseCommit = Pick<RunOrigin, 'commitMessage' | 'committedAt'> & { commitHash: string }

/** Where the base is, for as long as it is measured. */
export interface BaseCheckout {
  cwd: string
  commit: BaseCommit
  /** Takes away what was made for it. */
  remove(): Promise<void>
}

/**
 * The folder that somebody prepared, or a git worktree, made below `folder`, of the commit at which HEAD left a ref; then
 * `cwd` is the same folder of the repository as the one given. Undefined when HEAD is part of that ref, so that there is
 * nothing to hold it against.
 *
 * @param commitHash of the base, where somebody said it
 * @throws UsageError when there is no such folder, or git knows no such commit
 */
export async function baseOf(
  planned: NonNullable<RepeatPlan['base']>,
  { cwd, folder, commitHash }: { cwd: string; folder: string; commitHash: string | undefined },
): Promise<BaseCheckout | undefined> {
  return 'folder' in planned
    ? preparedBase(resolve(cwd, planned.folder), planned.folder, commitHash)
    : worktreeBase(cwd, planned.ref, join(folder, 'base'))
}

async function preparedBase(
  cwd: string,
  name: string,
  commitHash: string | undefined,
): Promise<BaseCheckout> {
  const facts = await stat(cwd).catch(() => undefined)
  if (facts?.isDirectory() !== true) throw new UsageError(`${name}: There is no such folder.`)
  const git = await readGit(cwd, commitHash)
  const known = commitHash ?? git.commitHash
  if (known === undefined) {
    throw new UsageError(`git does not know the commit of ${name}: give --base-commit.`)
  }
  return {
    cwd,
    commit: { commitHash: known, commitMessage: git.commitMessage, committedAt: git.committedAt },
    remove: () => Promise.resolve(),
  }
}

async function worktreeBase(cwd: string, ref: string, path: string): Promise<BaseCheckout | undefined> {
  const git = (...args: string[]) => gitOrRefuse(cwd, args)
  const [top, head] = [await git('rev-parse', '--show-toplevel'), await git('rev-parse', '--verify', 'HEAD')]
  const commitHash = await mergeBase(cwd, ref)
  if (commitHash === head) return undefined
  await git('worktree', 'add', '--quiet', '--detach', path, commitHash)
  return {
    cwd: join(path, relative(top, cwd)),
    commit: { ...(await readGit(cwd, commitHash)), commitHash },
    remove: async () => {
      await git('worktree', 'remove', '--force', path)
    },
  }
}

async function mergeBase(cwd: string, ref: string): Promise<string> {
  try {
    return await gitOrRefuse(cwd, ['merge-base', '--end-of-options', ref, 'HEAD'])
  } catch (cause) {
    throw new UsageError(
      `git knows no commit at which HEAD left ${ref}. Fetch that branch, and more of the history.`,
      { cause },
    )
  }
}

/** Output of a git command without its line end. @throws UsageError with what git says */
async function gitOrRefuse(cwd: string, args: string[]): Promise<string> {
  try {
    const { stdout } = await run('git', args, { cwd })
    return stdout.trim()
  } catch (cause) {
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause)
    throw new UsageError(`git ${args[0]}: ${said.split('\n').at(-1)}`, { cause })
  }
}
