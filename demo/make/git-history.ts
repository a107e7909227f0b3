import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from './run-tool.ts'

/** One revision of a demo program. */
export interface Commit {
  /** `01-main-<short hash>`, the name of the run's folder. */
  dir: string
  branch: string
  hash: string
  message: string
  /** ISO 8601, UTC. */
  committedAt: string
  pullRequest?: number
}

/** What `commit.json` in a commit's folder says; the other files of the folder are the files that it changes. */
interface CommitFile {
  branch: string
  message: string
  committed_at: string
  pull_request?: number
}

const AUTHOR = { name: 'Flamegate Demo', email: 'demo@flamegate.example' }

/**
 * Makes a git repository in `folder` from `commitsFolder`, one commit per subfolder in the order of their names. A
 * branch starts where main is when it is first named. Author and dates are fixed, so the hashes are the same each time.
 */
export function rebuildHistory(commitsFolder: string, folder: string): Commit[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  git(folder, ['init', '--quiet', '--initial-branch', 'main'])
  const branches = new Set(['main'])
  return readdirSync(commitsFolder)
    .toSorted()
    .map((name, index) => {
      const source = join(commitsFolder, name)
      const file: CommitFile = JSON.parse(readFileSync(join(source, 'commit.json'), 'utf8'))
      if (index > 0)
        git(folder, ['checkout', '--quiet', ...(branches.has(file.branch) ? [] : ['-b']), file.branch])
      branches.add(file.branch)
      cpSync(source, folder, { recursive: true, filter: (path) => !path.endsWith('commit.json') })
      const hash = commit(folder, file)
      return {
        dir: `${String(index + 1).padStart(2, '0')}-${file.branch.replaceAll('/', '-')}-${hash.slice(0, 7)}`,
        branch: file.branch,
        hash,
        message: file.message,
        committedAt: file.committed_at,
        pullRequest: file.pull_request,
      }
    })
}

export function checkOut(folder: string, { hash }: Commit): void {
  git(folder, ['checkout', '--quiet', '--force', hash])
}

function commit(folder: string, { message, committed_at }: CommitFile): string {
  const env = {
    GIT_AUTHOR_NAME: AUTHOR.name,
    GIT_AUTHOR_EMAIL: AUTHOR.email,
    GIT_AUTHOR_DATE: committed_at,
    GIT_COMMITTER_NAME: AUTHOR.name,
    GIT_COMMITTER_EMAIL: AUTHOR.email,
    GIT_COMMITTER_DATE: committed_at,
  }
  git(folder, ['add', '--all'])
  git(folder, ['-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message', message], env)
  return git(folder, ['rev-parse', 'HEAD']).trim()
}

function git(folder: string, args: string[], env: NodeJS.ProcessEnv = {}): string {
  return runTool('git', args, { cwd: folder, env: { ...env, GIT_CONFIG_NOSYSTEM: '1' } })
}
