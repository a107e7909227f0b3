import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { platform, signUp, type Person } from './person.ts'
import { waitForTask } from './world.ts'

/** Whose code functions are, and where their source is: as the rules of a project, its repository and a run tell it. */

const frames = [
  { name: 'main', file: '/home/runner/work/shop/shop/src/main.cc', line: 3 },
  { name: '_ZN4shop5priceERKNS_4CartE', file: '/home/runner/work/shop/shop/src/price.cc', line: 12 },
  { name: '_ZN4acme5roundEd', file: '/opt/acme/libacme.so' },
]
/** As speedscope has it: `main` calls a function of the project, which calls one of a library. */
const file = JSON.stringify({
  $schema: 'https://www.speedscope.app/file-format-schema.json',
  shared: { frames },
  profiles: [
    {
      type: 'sampled',
      name: 'main',
      unit: 'milliseconds',
      startValue: 0,
      endValue: 10,
      samples: [
        [0, 1],
        [0, 1, 2],
      ],
      weights: [4, 6],
    },
  ],
})

let owner: Person
let projectId: string
let profileId: string
let browser: Browser
let page: Page

beforeAll(async () => {
  owner = await signUp('Sourcer')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Shop',
    repository: 'acme/shop',
  })
  projectId = project.id
  const { run } = await owner.client.call(operations.submitBenchmarkResults, {
    repository: projectId,
    branch: 'main',
    commit_hash: 'abcdef1',
    results: 'pkg: example.com/a\nBenchmarkPrice-2 1000 100 ns/op\nPASS\n',
  })
  const upload = await owner.client.call(operations.createProfileUpload, {
    project_id: projectId,
    run_id: run.id,
    file_name: 'cpu.speedscope.json',
    content: file,
  })
  await waitForTask(owner, upload.task_id)
  profileId = upload.profile_id
  browser = await launchBrowser()
  page = await browser.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, owner.email, owner.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
})
afterAll(() => browser?.close())

const functions = async () => {
  const answer = await owner.client.call(operations.analyzeProfile, { profile_id: profileId })
  return answer.functions.map(({ function_name, origin, function_url }) => [
    function_name,
    origin,
    function_url,
  ])
}

test('names are demangled, and functions lead to the line at the commit of the run', async () => {
  const main = ['main', 'User code', 'https://github.com/acme/shop/blob/abcdef1/src/main.cc#L3']
  expect(await functions()).toEqual([
    ['acme::round(double)', 'libacme.so', null],
    [
      'shop::price(shop::Cart const&)',
      'User code',
      'https://github.com/acme/shop/blob/abcdef1/src/price.cc#L12',
    ],
    main,
  ])
})

test('a rule that is added in a browser holds in questions, exports and drawings', async () => {
  await page.goto(`${platform().url}/projects/${projectId}/uploads`)
  await page.getByRole('button', { name: 'Add a rule…' }).click()
  await page.getByLabel('Has the text').fill('*')
  await page.getByLabel('Is', { exact: true }).fill('Acme platform')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Write some text besides *.').waitFor()
  await page.getByLabel('Has the text').fill('/opt/acme/')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Remove the rule /opt/acme/' }).waitFor()
  await keepScreenshot(page, 'project-source')

  expect((await functions()).map(([, origin]) => origin)).toEqual(['Acme platform', 'User code', 'User code'])
  const { content } = await owner.client.call(operations.exportProfile, {
    profile_id: profileId,
    format: 'd3',
  })
  expect(content).toContain('"origin":"Acme platform"')
  const drawn = await owner.client.call(operations.generateFlamegraph, { profile_id: profileId })
  expect(drawn.functions.map(({ origin }) => origin)).toContain('Acme platform')
})

test('the site of the repository is chosen in a browser, and its lines are linked in tables', async () => {
  await page.goto(`${platform().url}/projects/${projectId}/uploads`)
  await page.getByRole('button', { name: 'Change the site…' }).click()
  await page.getByRole('button', { name: /^GitHub/ }).click()
  await page.getByRole('option', { name: 'Gitea or Forgejo' }).click()
  await page.getByLabel('Address').fill('https://git.acme.example/')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByText('on Gitea or Forgejo at https://git.acme.example.').waitFor()

  await page.goto(`${platform().url}/profiles/${profileId}?view=table`)
  const link = page.getByRole('link', { name: '/home/runner/work/shop/shop/src/price.cc:12' })
  await expect
    .poll(() => link.getAttribute('href'))
    .toBe('https://git.acme.example/acme/shop/src/commit/abcdef1/src/price.cc#L12')
  await keepScreenshot(page, 'profile-source-links')
})

test('a change of a version that is no more is refused', async () => {
  const change = { project_id: projectId, origin_rules: [] }
  const { project } = await owner.client.call(operations.updateProjectSource, change)
  await expect(
    owner.client.call(operations.updateProjectSource, { ...change, if_version: project.version - 1 }),
  ).rejects.toMatchObject({ code: 'version_mismatch' })
})
