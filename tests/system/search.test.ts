import { operations } from '@flamegate/contract'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { rpc } from './calls.ts'
import { apiToken, logIn, platform, signUp, type Person } from './person.ts'

let demo: Person
let token: string
let browser: Browser

beforeAll(async () => {
  demo = await logIn(platform().demo.email, platform().demo.password)
  token = await apiToken(demo, ['read'])
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const resultsSchema = z.object({
  results: z.array(z.object({ id: z.string(), title: z.string(), url: z.url(), kind: z.string() })),
})
const documentSchema = z.object({ id: z.string(), title: z.string(), text: z.string(), url: z.url() })

/** The one text of a tool result, which some clients read as JSON. */
async function textOf(name: string, input: Record<string, unknown>): Promise<string> {
  const { body } = await rpc('tools/call', { name, arguments: input }, { token })
  const result = z
    .object({ content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]) })
    .parse(body?.['result'])
  return result.content[0].text
}

/**
 * What deep research and company knowledge of ChatGPT take: https://developers.openai.com/api/docs/mcp. An object and the same as
 * JSON in one text; `search` with one string, `fetch` with one id; both only read.
 */
test('search and fetch are in the form that ChatGPT takes', async () => {
  const called = async (name: string, input: object) => {
    const { body } = await rpc('tools/call', { name, arguments: input }, { token })
    const { content, structuredContent } = z
      .object({
        content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
        structuredContent: z.looseObject({}),
      })
      .parse(body?.['result'])
    expect(JSON.parse(content[0].text)).toEqual(structuredContent)
    return structuredContent
  }
  const required = { id: z.string().min(1), title: z.string().min(1), url: z.url() }
  const found = z
    .looseObject({ results: z.array(z.looseObject(required)).min(1) })
    .parse(await called('search', { query: 'Which benchmarks of the checkout service got slower, and why?' }))
  const [first] = found.results
  const document = z
    .looseObject({ ...required, text: z.string().min(20), metadata: z.record(z.string(), z.unknown()) })
    .parse(await called('fetch', { id: first?.id }))
  expect(document).toMatchObject({ id: first?.id, url: first?.url })

  const listed = await rpc('tools/list', {}, { token })
  const { tools } = z
    .object({
      tools: z.array(
        z.looseObject({
          name: z.string(),
          inputSchema: z.looseObject({ required: z.array(z.string()).optional() }),
          annotations: z.looseObject({ readOnlyHint: z.boolean() }),
        }),
      ),
    })
    .parse(listed.body?.['result'])
  expect(tools.filter(({ name }) => ['search', 'fetch'].includes(name))).toMatchObject([
    { name: 'fetch', inputSchema: { required: ['id'] }, annotations: { readOnlyHint: true } },
    { name: 'search', inputSchema: { required: ['query'] }, annotations: { readOnlyHint: true } },
  ])
})

test('search and fetch answer as JSON in one text, each kind of result can be fetched', async () => {
  for (const query of ['checkout', 'price cart', 'main', 'cpu']) {
    const { results } = resultsSchema.parse(JSON.parse(await textOf('search', { query })))
    expect(results.length).toBeGreaterThan(0)
    for (const { id, url } of results.slice(0, 3)) {
      const document = documentSchema.parse(JSON.parse(await textOf('fetch', { id })))
      expect(document).toMatchObject({ id, url })
      expect(document.text.length).toBeGreaterThan(20)
    }
  }
})

test('a virtual user is found by name, tag and description, by its people only, and fetched as its outline', async () => {
  const grace = await signUp('Searcher')
  const { project } = await grace.client.call(operations.createProject, {
    workspace_id: grace.workspaceId,
    name: 'Searched',
  })
  const { virtual_user } = await grace.client.call(operations.createVirtualUser, {
    project_id: project.id,
    name: 'Quetzal',
    document: {
      description: 'Browses the catalogue',
      tags: ['nightly-smoke'],
      actions: [{ type: 'script', id: 'act_1', name: 'Think', source: '' }],
    },
  })
  for (const query of ['quetzal', 'nightly-smoke', 'catalogue browses']) {
    const { results } = await grace.client.call(operations.search, { query, project_id: project.id })
    expect(results).toMatchObject([
      {
        id: virtual_user.id,
        kind: 'virtual_user',
        title: 'Quetzal',
        url: `${platform().url}/virtual-users/${virtual_user.id}`,
        snippet: 'Browses the catalogue · 0 requests · nightly-smoke',
      },
    ])
  }
  const document = await grace.client.call(operations.fetch, { id: virtual_user.id })
  expect(document).toMatchObject({ title: 'Quetzal', metadata: { kind: 'virtual_user', truncated: false } })
  expect(document.text).toContain('/actions/0 act_1 script “Think”')
  expect((await demo.client.call(operations.search, { query: 'quetzal' })).results).toEqual([])
  await expect(demo.client.call(operations.fetch, { id: virtual_user.id })).rejects.toMatchObject({
    code: 'virtual_user_not_found',
  })

  const page = await (await browser.newContext()).newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, grace.email, grace.password)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('searchbox', { name: /virtual users$/ }).fill('quetz')
  await page.getByRole('group', { name: 'Virtual users' }).getByRole('option', { name: 'Quetzal' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === `/virtual-users/${virtual_user.id}`)
  await page.context().close()
})

test('lines of an uploaded file can be read', async () => {
  const { results } = await demo.client.call(operations.search, { query: 'checkout-service' })
  const project = results.find((each) => each.kind === 'project')
  const { files } = await demo.client.call(operations.listFiles, { owner: project?.id ?? '' })
  const [file] = files
  expect(file).toBeDefined()
  const answer = await demo.client.call(operations.readFileLines, { file_id: file?.id ?? '', limit: 2 })
  expect(answer.lines[0]?.text.length).toBeGreaterThan(0)
})

test.each([
  { name: 'light', width: 1280, colorScheme: 'light' },
  { name: 'dark-narrow', width: 400, colorScheme: 'dark' },
] as const)('in the pages, / opens the search and Enter the best result: $name', async (view) => {
  const context = await browser.newContext({
    viewport: { width: view.width, height: 800 },
    colorScheme: view.colorScheme,
  })
  const page = await context.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, platform().demo.email, platform().demo.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
  await page.getByRole('button', { name: 'Search' }).waitFor()

  await page.keyboard.press('/')
  const box = page.getByRole('searchbox', { name: /^Projects, runs/ })
  await box.fill('nothing-has-this-name')
  await page.getByText('Nothing has all of these words').waitFor()
  await box.fill('price cart')
  await page.getByRole('option', { name: /price/ }).first().waitFor()
  await keepScreenshot(page, `search-${view.name}`)
  const { violations } = await axeOn(page).include('[role=dialog]').analyze()
  expect(violations.map((each) => each.id)).toEqual([])

  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname.startsWith('/benchmarks/'))
  await page.getByRole('heading', { level: 1, name: /price carts/ }).waitFor()
  await context.close()
})
