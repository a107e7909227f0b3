import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitCheckout } from '../testing/git-checkout.ts'
import { findRunOrigin } from './run-origin.ts'

const remote = 'git@github.com:acme/checkout.git'

test('findRunOrigin() asks git outside of CI', async () => {
  const { folder, hashes } = await gitCheckout(['Start', 'Cache the rules'], {
    branch: 'feat/loyalty',
    remote,
  })
  expect(await findRunOrigin({ env: {}, cwd: folder })).toEqual({
    repository: 'acme/checkout',
    branch: 'feat/loyalty',
    commitHash: hashes[1],
    commitMessage: 'Cache the rules',
    committedAt: '2026-11-20T10:00:00.000Z',
    pullRequest: undefined,
    event: 'local',
  })
})

test('findRunOrigin() lets git add what the CI does not tell, of the same commit', async () => {
  const { folder, hashes } = await gitCheckout(['Start', 'Cache the rules'])
  const env = { CIRCLECI: 'true', CIRCLE_BRANCH: 'main', CIRCLE_SHA1: hashes[0]! }
  expect(await findRunOrigin({ env, cwd: folder })).toMatchObject({
    branch: 'main',
    commitHash: hashes[0],
    commitMessage: 'Start',
    event: 'push',
  })
})

test('findRunOrigin() does not give a commit named by hand the message of the CI’s commit', async () => {
  const { folder } = await gitCheckout(['Start'])
  const env = { BUILDKITE: 'true', BUILDKITE_COMMIT: 'a'.repeat(40), BUILDKITE_MESSAGE: 'Other' }
  const other = 'c'.repeat(40)
  expect(await findRunOrigin({ env, cwd: folder, commitHash: other })).toMatchObject({
    commitHash: other,
    commitMessage: undefined,
    committedAt: undefined,
  })
})

test('findRunOrigin() does not take a commit that looks like an option for one', async () => {
  const { folder } = await gitCheckout(['Start'])
  expect(await findRunOrigin({ env: {}, cwd: folder, commitHash: '--output=x' })).toMatchObject({
    commitHash: '--output=x',
    commitMessage: undefined,
  })
})

test('findRunOrigin() knows only the event where there is neither CI nor git', async () => {
  const origin = await findRunOrigin({ env: {}, cwd: '/' })
  expect(Object.entries(origin).filter(([, value]) => value !== undefined)).toEqual([['event', 'local']])
})

test('findRunOrigin() takes the commit where the branch left its base before the tip that the CI tells', async () => {
  const { folder, hashes } = await gitCheckout(['Start', 'Feature'])
  const [start = '', feature = ''] = hashes
  const env = {
    GITLAB_CI: 'true',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'release/1',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'd'.repeat(40),
    CI_COMMIT_SHA: feature,
  }
  const known = { baseBranch: 'release/1', baseCommitHash: 'd'.repeat(40) }
  expect(await findRunOrigin({ env, cwd: folder })).toMatchObject(known)
  await mkdir(join(folder, '.git/refs/remotes/origin/release'), { recursive: true })
  await writeFile(join(folder, '.git/refs/remotes/origin/release/1'), `${start}\n`)
  expect(await findRunOrigin({ env, cwd: folder })).toMatchObject({ ...known, baseCommitHash: start })
})
