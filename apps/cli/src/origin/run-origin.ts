import { ciOrigin } from './ci-provider.ts'
import { findMergeBase, readGit } from './git.ts'

/** Where benchmark results come from. What is not known is undefined. */
export interface RunOrigin {
  /** `owner/name`. */
  repository?: string | undefined
  branch?: string | undefined
  commitHash?: string | undefined
  /** First line. */
  commitMessage?: string | undefined
  /** UTC, ISO 8601. */
  committedAt?: string | undefined
  pullRequest?: number | undefined
  event?: string | undefined
  /** Branch that a pull request goes into. */
  baseBranch?: string | undefined
  /** Commit that the measured one grew out of: where it left the base branch, or its tip where that is not known. */
  baseCommitHash?: string | undefined
  /** What the CI calls this very piece of work: the same for a repeated step, another for another matrix cell. */
  job?: string | undefined
}

/**
 * What the CI's variables tell, and git where they do not. A commit that was named by hand takes its message and
 * time from git alone, because the CI speaks of its own commit.
 */
export async function findRunOrigin(options: {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  commitHash?: string | undefined
}): Promise<RunOrigin> {
  const ci: RunOrigin = (await ciOrigin(options.env)) ?? { event: 'local' }
  const commitHash = options.commitHash ?? ci.commitHash
  const [git, mergeBase] = await Promise.all([
    readGit(options.cwd, commitHash),
    ci.baseBranch === undefined ? undefined : findMergeBase(options.cwd, ci.baseBranch, commitHash),
  ])
  const isOfCi = commitHash === ci.commitHash
  return {
    repository: ci.repository ?? git.repository,
    branch: ci.branch ?? git.branch,
    commitHash: commitHash ?? git.commitHash,
    commitMessage: (isOfCi ? ci.commitMessage : undefined) ?? git.commitMessage,
    committedAt: (isOfCi ? ci.committedAt : undefined) ?? git.committedAt,
    pullRequest: ci.pullRequest,
    event: ci.event,
    baseBranch: ci.baseBranch,
    baseCommitHash: mergeBase ?? ci.baseCommitHash,
    job: ci.job,
  }
}
