import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ciOrigin } from './ci-provider.ts'

const head = 'a'.repeat(40)
const merge = 'b'.repeat(40)
const base = 'c'.repeat(40)

const table: [string, Record<string, string>, Record<string, unknown>][] = [
  [
    'GitHub Actions, push',
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'acme/checkout',
      GITHUB_REF: 'refs/heads/main',
      GITHUB_REF_NAME: 'main',
      GITHUB_HEAD_REF: '',
      GITHUB_SHA: head,
      GITHUB_BASE_REF: '',
      GITHUB_EVENT_NAME: 'push',
      GITHUB_RUN_ID: '1658821493',
      GITHUB_RUN_ATTEMPT: '2',
      GITHUB_JOB: 'bench',
      GITHUB_ACTION: '__run',
    },
    {
      repository: 'acme/checkout',
      branch: 'main',
      commitHash: head,
      pullRequest: undefined,
      event: 'push',
      baseBranch: undefined,
      baseCommitHash: undefined,
      job: '1658821493/2/bench/__run',
    },
  ],
  [
    'GitHub Actions, pull request without its event file',
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'acme/checkout',
      GITHUB_REF: 'refs/pull/12/merge',
      GITHUB_REF_NAME: '12/merge',
      GITHUB_HEAD_REF: 'feat/loyalty',
      GITHUB_BASE_REF: 'main',
      GITHUB_SHA: merge,
      GITHUB_EVENT_NAME: 'pull_request_target',
    },
    {
      branch: 'feat/loyalty',
      commitHash: merge,
      pullRequest: 12,
      event: 'pull_request',
      baseBranch: 'main',
    },
  ],
  [
    'GitLab CI, branch',
    {
      GITLAB_CI: 'true',
      CI_PROJECT_PATH: 'acme/checkout',
      CI_COMMIT_BRANCH: 'main',
      CI_COMMIT_REF_NAME: 'main',
      CI_COMMIT_SHA: head,
      CI_COMMIT_MESSAGE: 'Cache the rules\n\nThey change rarely.',
      CI_COMMIT_TIMESTAMP: '2026-11-20T11:00:00+01:00',
      CI_PIPELINE_SOURCE: 'schedule',
    },
    {
      repository: 'acme/checkout',
      branch: 'main',
      commitHash: head,
      commitMessage: 'Cache the rules',
      committedAt: '2026-11-20T10:00:00.000Z',
      event: 'schedule',
    },
  ],
  [
    'GitLab CI, merged-results pipeline',
    {
      GITLAB_CI: 'true',
      CI_PROJECT_PATH: 'acme/checkout',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feat/loyalty',
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head,
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      CI_JOB_ID: '89123',
      CI_COMMIT_REF_NAME: 'refs/merge-requests/7/merge',
      CI_COMMIT_SHA: merge,
      CI_COMMIT_MESSAGE: 'Merge branch',
      CI_PIPELINE_SOURCE: 'merge_request_event',
    },
    {
      branch: 'feat/loyalty',
      commitHash: head,
      pullRequest: 7,
      event: 'pull_request',
      baseBranch: 'main',
      baseCommitHash: base,
      job: '89123',
    },
  ],
  [
    'Buildkite',
    {
      BUILDKITE: 'true',
      BUILDKITE_REPO: 'git@github.com:acme/checkout.git',
      BUILDKITE_BRANCH: 'main',
      BUILDKITE_COMMIT: head,
      BUILDKITE_MESSAGE: 'Cache the rules',
      BUILDKITE_PULL_REQUEST: 'false',
      BUILDKITE_PULL_REQUEST_BASE_BRANCH: '',
      BUILDKITE_SOURCE: 'webhook',
    },
    {
      repository: 'acme/checkout',
      branch: 'main',
      commitHash: head,
      commitMessage: 'Cache the rules',
      pullRequest: undefined,
      event: 'push',
    },
  ],
  [
    'Buildkite, pull request before the checkout',
    {
      BUILDKITE: 'true',
      BUILDKITE_COMMIT: 'HEAD',
      BUILDKITE_PULL_REQUEST: '12',
      BUILDKITE_PULL_REQUEST_BASE_BRANCH: 'main',
      BUILDKITE_JOB_ID: '0190046e',
    },
    {
      commitHash: undefined,
      pullRequest: 12,
      event: 'pull_request',
      baseBranch: 'main',
      job: '0190046e',
    },
  ],
  [
    'CircleCI',
    {
      CIRCLECI: 'true',
      CIRCLE_PROJECT_USERNAME: 'acme',
      CIRCLE_PROJECT_REPONAME: 'checkout',
      CIRCLE_BRANCH: 'feat/loyalty',
      CIRCLE_SHA1: head,
      CIRCLE_PULL_REQUEST: 'https://github.com/acme/checkout/pull/12',
      CIRCLE_WORKFLOW_JOB_ID: '2b0c',
      CIRCLE_NODE_INDEX: '1',
    },
    {
      repository: 'acme/checkout',
      branch: 'feat/loyalty',
      commitHash: head,
      pullRequest: 12,
      event: 'pull_request',
      job: '2b0c/1',
    },
  ],
  [
    'Jenkins, branch of a simple job',
    {
      JENKINS_URL: 'https://ci.example/',
      GIT_URL: 'https://github.com/acme/checkout.git',
      GIT_BRANCH: 'origin/main',
      GIT_COMMIT: head,
    },
    { repository: 'acme/checkout', branch: 'main', commitHash: head, pullRequest: undefined, event: 'push' },
  ],
  [
    'Jenkins, change request',
    {
      JENKINS_URL: 'https://ci.example/',
      BRANCH_NAME: 'PR-12',
      CHANGE_BRANCH: 'feat/loyalty',
      CHANGE_ID: '12',
      CHANGE_TARGET: 'main',
      BUILD_TAG: 'jenkins-checkout-PR-12-3',
      STAGE_NAME: 'Benchmarks',
    },
    {
      branch: 'feat/loyalty',
      pullRequest: 12,
      event: 'pull_request',
      baseBranch: 'main',
      job: 'jenkins-checkout-PR-12-3/Benchmarks',
    },
  ],
]

test.each(table)('ciOrigin() reads %s', async (_name, env, origin) => {
  expect(await ciOrigin(env)).toMatchObject(origin)
})

test('ciOrigin() does not give the head of a GitLab merge request the message of the merge', async () => {
  const [, env = {}] = table.find(([name]) => name === 'GitLab CI, merged-results pipeline') ?? []
  expect(await ciOrigin(env)).not.toHaveProperty('commitMessage')
})

test('ciOrigin() is undefined where no CI is running', async () => {
  expect(await ciOrigin({ PATH: '/usr/bin', CI: 'true' })).toBeUndefined()
})

test('ciOrigin() takes the head of a GitHub pull request, and not the merge, from the event file', async () => {
  const path = await eventFile({
    pull_request: {
      number: 12,
      head: { sha: head, ref: 'feat/loyalty' },
      base: { sha: base, ref: 'release' },
    },
  })
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_SHA: merge,
    GITHUB_EVENT_PATH: path,
  }
  expect(await ciOrigin(env)).toMatchObject({
    branch: 'feat/loyalty',
    commitHash: head,
    pullRequest: 12,
    baseBranch: 'release',
    baseCommitHash: base,
  })
})

test('ciOrigin() takes message and time of a GitHub push from the event file, if they are of its commit', async () => {
  const path = await eventFile({
    head_commit: { id: head, message: 'Cache the rules\n\nWhy', timestamp: '2026-11-20T11:00:00+01:00' },
  })
  const env = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: 'push', GITHUB_EVENT_PATH: path }
  expect(await ciOrigin({ ...env, GITHUB_SHA: head })).toMatchObject({
    commitMessage: 'Cache the rules',
    committedAt: '2026-11-20T10:00:00.000Z',
  })
  expect(await ciOrigin({ ...env, GITHUB_SHA: merge })).not.toHaveProperty('commitMessage')
})

async function eventFile(event: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-cli-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'event.json')
  await writeFile(path, JSON.stringify(event))
  return path
}
