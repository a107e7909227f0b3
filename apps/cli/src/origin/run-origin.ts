import { ciOrigin } from './ci-provider.ts'
import { readGit } from './git.ts'

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
  const git = await readGit(options.cwd, commitHash)
  const isOfCi = commitHash === ci.commitHash
  return {
    repository: ci.repository ?? git.repository,
    branch: ci.branch ?? git.branch,
    commitHash: commitHash ?? git.commitHash,
    commitMessage: (isOfCi ? ci.commitMessage : undefined) ?? git.commitMessage,
    committedAt: (isOfCi ? ci.committedAt : undefined) ?? git.committedAt,
    pullRequest: ci.pullRequest,
    event: ci.event,
  }
}
