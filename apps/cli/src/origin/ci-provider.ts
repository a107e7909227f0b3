import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { repositoryOfUrl } from './repository-url.ts'
import type { RunOrigin } from './run-origin.ts'

type Env = Readonly<Record<string, string | undefined>>

interface CiProvider {
  name: string
  isRunning(env: Env): boolean
  read(env: Env): RunOrigin | Promise<RunOrigin>
}

/** The CI systems whose variables are known, by their own documentation; the first that is running counts. */
export const ciProviders: readonly CiProvider[] = [
  {
    // https://docs.github.com/actions/reference/workflows-and-actions/variables
    name: 'GitHub Actions',
    isRunning: (env) => env.GITHUB_ACTIONS === 'true',
    read: readGitHub,
  },
  {
    // https://docs.gitlab.com/ci/variables/predefined_variables/
    name: 'GitLab CI',
    isRunning: (env) => env.GITLAB_CI === 'true',
    read: (env) => ({
      repository: env.CI_PROJECT_PATH,
      branch: env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME ?? env.CI_COMMIT_BRANCH ?? env.CI_COMMIT_REF_NAME,
      // Set in pipelines on the merge result, whose own commit is on no branch.
      commitHash: orUndefined(env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA) ?? env.CI_COMMIT_SHA,
      ...(orUndefined(env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA) === undefined
        ? { commitMessage: firstLine(env.CI_COMMIT_MESSAGE), committedAt: utc(env.CI_COMMIT_TIMESTAMP) }
        : {}),
      pullRequest: positive(env.CI_MERGE_REQUEST_IID),
      baseBranch: orUndefined(env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME),
      baseCommitHash: orUndefined(env.CI_MERGE_REQUEST_DIFF_BASE_SHA),
      job: env.CI_JOB_ID,
      event: gitLabEvents[env.CI_PIPELINE_SOURCE ?? ''] ?? env.CI_PIPELINE_SOURCE,
    }),
  },
  {
    // https://buildkite.com/docs/pipelines/configure/environment-variables
    name: 'Buildkite',
    isRunning: (env) => env.BUILDKITE === 'true',
    read: (env) => ({
      repository: repositoryOfUrl(env.BUILDKITE_REPO),
      branch: env.BUILDKITE_BRANCH,
      // "HEAD" until the agent has checked the branch out.
      commitHash: env.BUILDKITE_COMMIT === 'HEAD' ? undefined : env.BUILDKITE_COMMIT,
      commitMessage: firstLine(env.BUILDKITE_MESSAGE),
      // "false" when there is none.
      pullRequest: positive(env.BUILDKITE_PULL_REQUEST),
      event:
        positive(env.BUILDKITE_PULL_REQUEST) === undefined
          ? env.BUILDKITE_SOURCE === 'schedule'
            ? 'schedule'
            : 'push'
          : 'pull_request',
      baseBranch: orUndefined(env.BUILDKITE_PULL_REQUEST_BASE_BRANCH),
      job: env.BUILDKITE_JOB_ID,
    }),
  },
  {
    // https://circleci.com/docs/reference/variables/
    name: 'CircleCI',
    isRunning: (env) => env.CIRCLECI === 'true',
    read: (env) => {
      const pullRequest = positive(env.CIRCLE_PULL_REQUEST?.split('/').at(-1))
      return {
        repository:
          env.CIRCLE_PROJECT_USERNAME === undefined || env.CIRCLE_PROJECT_REPONAME === undefined
            ? repositoryOfUrl(env.CIRCLE_REPOSITORY_URL)
            : `${env.CIRCLE_PROJECT_USERNAME}/${env.CIRCLE_PROJECT_REPONAME}`,
        branch: env.CIRCLE_BRANCH,
        commitHash: env.CIRCLE_SHA1,
        pullRequest,
        event: pullRequest === undefined ? 'push' : 'pull_request',
        job: joined(env.CIRCLE_WORKFLOW_JOB_ID, env.CIRCLE_NODE_INDEX),
      }
    },
  },
  {
    // https://www.jenkins.io/doc/book/pipeline/multibranch/ and the Git plugin
    name: 'Jenkins',
    isRunning: (env) => env.JENKINS_URL !== undefined,
    read: (env) => ({
      repository: repositoryOfUrl(env.GIT_URL),
      // BRANCH_NAME of a change request is PR-12, and GIT_BRANCH names the remote too.
      branch: env.CHANGE_BRANCH ?? env.BRANCH_NAME ?? env.GIT_BRANCH?.replace(/^origin\//, ''),
      commitHash: env.GIT_COMMIT,
      pullRequest: positive(env.CHANGE_ID),
      event: positive(env.CHANGE_ID) === undefined ? 'push' : 'pull_request',
      baseBranch: env.CHANGE_TARGET,
      job: joined(env.BUILD_TAG, env.STAGE_NAME),
    }),
  },
]

/** What the running CI tells; undefined outside of the known ones. */
export async function ciOrigin(env: Env): Promise<RunOrigin | undefined> {
  return ciProviders.find((each) => each.isRunning(env))?.read(env)
}

const gitLabEvents: Record<string, string> = {
  merge_request_event: 'pull_request',
  web: 'manual',
}

/** The parts of GitHub's event payload that its variables do not tell. */
const gitHubEvent = z.object({
  pull_request: z
    .object({
      number: z.number(),
      head: z.object({ sha: z.string(), ref: z.string() }),
      base: z.object({ sha: z.string(), ref: z.string() }).optional(),
    })
    .optional(),
  head_commit: z.object({ id: z.string(), message: z.string(), timestamp: z.string() }).nullish(),
})

async function readGitHub(env: Env): Promise<RunOrigin> {
  const event = await readGitHubEvent(env.GITHUB_EVENT_PATH)
  const { pull_request: pull, head_commit: head } = event
  const isOfHead = pull === undefined && head?.id === env.GITHUB_SHA
  return {
    repository: env.GITHUB_REPOSITORY,
    branch: pull?.head.ref ?? orUndefined(env.GITHUB_HEAD_REF) ?? env.GITHUB_REF_NAME,
    // GITHUB_SHA of a pull request is a merge commit that nobody wrote.
    commitHash: pull?.head.sha ?? env.GITHUB_SHA,
    ...(isOfHead ? { commitMessage: firstLine(head?.message), committedAt: utc(head?.timestamp) } : {}),
    pullRequest: pull?.number ?? positive(/^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1]),
    event: env.GITHUB_EVENT_NAME === 'pull_request_target' ? 'pull_request' : env.GITHUB_EVENT_NAME,
    baseBranch: pull?.base?.ref ?? orUndefined(env.GITHUB_BASE_REF),
    baseCommitHash: pull?.base?.sha,
    job: joined(env.GITHUB_RUN_ID, env.GITHUB_RUN_ATTEMPT, env.GITHUB_JOB, env.GITHUB_ACTION),
  }
}

async function readGitHubEvent(path: string | undefined): Promise<z.output<typeof gitHubEvent>> {
  if (path === undefined) return {}
  try {
    return gitHubEvent.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    // Not there or in another shape: the variables alone have to do.
    return {}
  }
}

function positive(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d*$/.test(text) ? Number(text) : undefined
}

/** Several names as one; undefined when none is set. */
function joined(...names: (string | undefined)[]): string | undefined {
  return orUndefined(names.filter(Boolean).join('/'))
}

/** GitHub and GitLab set some variables to nothing where others leave them out. */
function orUndefined(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}

function firstLine(text: string | undefined): string | undefined {
  return text?.split('\n')[0]?.slice(0, 2000)
}

function utc(text: string | undefined): string | undefined {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
