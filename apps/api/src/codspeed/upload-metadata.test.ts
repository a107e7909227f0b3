import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { runnersMetadata } from './test-metadata.ts'
import { inputOfUpload, uploadMetadata } from './upload-metadata.ts'

const inputOf = (changes: Record<string, unknown> = {}, project?: string) => {
  const input = inputOfUpload(uploadMetadata.parse(runnersMetadata(changes)), project)
  // What is made of it is always what the operation takes.
  operations.createCodspeedUpload.input.parse(input)
  return input
}

test('what the runner says of a pull request is said to the operation', () => {
  expect(inputOf()).toEqual({
    repository: 'acme/checkout',
    branch: 'feat/faster',
    commit_hash: '5bd77cb0da72bef094893ed45fb793ff16ecfbe3',
    event: 'pull_request',
    pull_request: 29,
    base_branch: 'main',
    ci_run: 'GITHUB_ACTIONS 7044765741',
    content_md5: 'jp/k05RKuqP3ERQuIIvx4Q==',
    allow_empty: false,
    environment: {
      cpu: 'AMD EPYC 7763',
      cpu_count: '4',
      memory: '16 GiB',
      os: 'ubuntu 24.04',
      arch: 'x86_64',
    },
  })
})

test.each([
  ['a push', { ref: 'refs/heads/main', headRef: null, baseRef: '', event: 'push' }, 'main'],
  ['a push in GitLab', { ref: 'refs/heads/main', headRef: null, baseRef: 'main', event: 'push' }, 'main'],
  ['a tag', { ref: 'refs/tags/v1.2', headRef: null, baseRef: null, event: 'push' }, 'v1.2'],
  ['a fork', { headRef: 'bob:main' }, 'bob:main'],
  ['a local run', { ref: 'a'.repeat(40), headRef: 'main', baseRef: null, event: 'local' }, 'main'],
  ['a local run without a branch', { ref: 'a'.repeat(40), headRef: null, event: 'local' }, 'a'.repeat(40)],
])('the branch of %s', (_where, changes, branch) => {
  expect(inputOf(changes).branch).toBe(branch)
})

test('only a pull request has a base branch', () => {
  expect(inputOf({ ref: 'refs/heads/main', baseRef: 'main' })).not.toHaveProperty('base_branch')
})

test('a project that is named wins over the repository', () => {
  expect(inputOf({}, 'prj_1').repository).toBe('prj_1')
})

test('an upload that is no part of a run is one by itself', () => {
  expect(inputOf({ runPart: null })).not.toHaveProperty('ci_run')
})

test('runs that leave out allocations cannot be taken for others', () => {
  const runner = { ...runnersMetadata().runner, excludeAllocations: true }
  expect(inputOf({ runner }).environment).toMatchObject({ exclude_allocations: 'true' })
})
