import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { operations } from '@flamegate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { launchBrowser } from '../system/browser.ts'
import { startAgent } from '../system/loaded-project.ts'
import { apiToken, logIn, platform, signUp } from '../system/person.ts'
import { recordShopHar } from '../system/sample-shop/record-shop-har.ts'
import { startSampleShop } from '../system/sample-shop/start-sample-shop.ts'
import { followPage } from './follow-guide.ts'

/** Tutorials, done letter by letter, from nothing to what they promise. */

const checkout = resolve(import.meta.dirname, '../..')
const tutorial = (name: string) => join(checkout, `docs/tutorials/${name}.md`)

test('find what made a commit slower', async () => {
  const { email, password } = platform().demo
  await followPage(tutorial('find-what-made-a-commit-slower'), {
    token: await apiToken(await logIn(email, password), ['read']),
    given: {},
  })
})

test('from a recording to a report', async () => {
  const folder = await temporaryFolder()
  const browser = await launchBrowser()
  const shop = await startSampleShop()
  onTestFinished(() => shop.stop())
  const har = join(folder, 'shop.har')
  await recordShopHar(browser, shop.url, har)
  await browser.close()
  const person = await signUp('Learner')
  const agent = await startAgent(platform().url, person)
  onTestFinished(() => void agent.kill('SIGTERM'))
  const answers = await followPage(tutorial('from-a-recording-to-a-report'), {
    token: await apiToken(person, ['read', 'write', 'run']),
    given: { har_name: basename(har), har_bytes: (await stat(har)).size },
    cwd: folder,
    afterStep: async (_step, soFar) => {
      if (!soFar.has('list_variables') || soFar.has('apply_correlations_to_virtual_user')) return
      // What a person does on the page.
      const { project } = z
        .object({ project: z.object({ id: z.string() }) })
        .parse(soFar.get('create_project'))
      await person.client.call(operations.createVariable, {
        project_id: project.id,
        name: 'password',
        type: 'secret',
        value: 'ann-password',
      })
    },
  })
  expect(answers.get('get_bench_result')).toMatchObject({ numbers: { failed: 0 } })
})

test('watch a running Node.js program', async () => {
  const person = await signUp('Watcher')
  const answers = await followPage(tutorial('watch-a-running-node-program'), {
    token: await apiToken(person, ['read', 'write']),
    given: { checkout },
    cwd: await temporaryFolder(),
  })
  const { times } = operations.compareLiveMoments.output.parse(answers.get('compare_live_moments'))
  expect(times.find(({ name }) => name === 'searchProducts')?.change_percent).toBeLessThan(-50)
})

test('profile an MCP server', async () => {
  const person = await signUp('Writer')
  const answers = await followPage(tutorial('profile-an-mcp-server'), {
    token: await apiToken(person, ['read', 'write']),
    given: {},
    cwd: await temporaryFolder(),
  })
  expect(answers.get('query_flamegraph')).toMatchObject({ sample_type: 'cpu', unit: 'nanoseconds' })
})

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-tutorial-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
