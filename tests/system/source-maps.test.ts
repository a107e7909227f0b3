import { readFileSync } from 'node:fs'
import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { signUp } from './person.ts'
import { waitForTask } from './world.ts'

const archive = readFileSync(
  `${import.meta.dirname}/../../packages/profiles/samples/cpuprofile/bundled.tar.gz`,
)

test('functions of a bundle that comes with its source maps lead to their sources', async () => {
  const owner = await signUp('Bundler')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Shop',
    repository: 'acme/shop',
  })
  const { run } = await owner.client.call(operations.submitBenchmarkResults, {
    repository: project.id,
    branch: 'main',
    commit_hash: 'abcdef1',
    results: 'pkg: example.com/a\nBenchmarkPrice-2 1000 100 ns/op\nPASS\n',
  })
  const upload = await owner.client.call(operations.createProfileUpload, {
    project_id: project.id,
    run_id: run.id,
    file_name: 'cpu.tar.gz',
    content: archive.toString('base64'),
    content_encoding: 'base64',
  })
  await waitForTask(owner, upload.task_id)

  const profile = { profile_id: upload.profile_id }
  const { functions } = await owner.client.call(operations.analyzeProfile, profile)
  const about = (name: string) => functions.find(({ function_name }) => function_name === name)
  expect(about('handleRequest')).toMatchObject({
    file: 'src/server.ts',
    origin: 'User code',
    function_url: 'https://github.com/acme/shop/blob/abcdef1/src/server.ts#L6',
  })
  expect(about('tinySort')).toMatchObject({ origin: 'tiny-sort@1.2.3' })
  const source = await owner.client.call(operations.getSourceLines, { ...profile, file: 'src/pricing.ts' })
  expect(source.lines.map(({ file, line }) => `${file}:${line}`)).toContain('src/pricing.ts:26')
})
