import { hash } from 'node:crypto'
import { agentFiles, pluginFolder, publicTexts, skillsOf } from '@flamegate/surfaces'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestGateway, type TestGateway } from './test-gateway.ts'

const publicUrl = 'https://perf.example.com'
const texts = publicTexts(publicUrl)
const files = agentFiles(publicUrl, texts)
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway(publicUrl)
})
afterAll(() => gateway?.close())

const get = (url: string) => gateway.app.inject({ url: url.replace(publicUrl, '') })

async function unpacked(url: string): Promise<Record<string, string>> {
  const answer = await get(url)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/zip',
    'access-control-allow-origin': '*',
  })
  const entries = Object.entries(unzipSync(answer.rawPayload))
  return Object.fromEntries(entries.map(([path, bytes]) => [path, strFromU8(bytes)]))
}

test('the archive has all files, with the address of this platform', async () => {
  const all = await unpacked('/mcp/public/agents/flamegate-agents.zip')
  expect(all).toEqual(Object.fromEntries(files.map(({ path, content }) => [path, content])))
  expect(JSON.stringify(all)).not.toContain('flamegate.example')
  expect(all['plugins/flamegate/.mcp.json']).toContain(`"${publicUrl}/mcp"`)
})

test('each file can be had alone', async () => {
  for (const [path, type] of [
    ['server.json', 'application/json'],
    ['copilot/.github/copilot-instructions.md', 'text/markdown; charset=utf-8'],
    ['cursor/.cursor/rules/flamegate.mdc', 'text/markdown; charset=utf-8'],
    ['plugins/flamegate/commands/flamegate/optimize.toml', 'application/toml'],
  ] as const) {
    const answer = await get(`/mcp/public/agents/${path}`)
    expect([path, answer.statusCode, answer.headers['content-type']]).toEqual([path, 200, type])
    expect(answer.body).toBe(files.find((file) => file.path === path)?.content)
  }
})

test('Claude Code’s marketplace leads to the plugin, and says which bytes it is', async () => {
  const listing = z
    .object({
      name: z.string(),
      plugins: z.tuple([
        z.object({
          name: z.string(),
          source: z.strictObject({
            source: z.literal('archive'),
            url: z.url({ protocol: /^https$/ }),
            sha256: z.string(),
          }),
        }),
      ]),
    })
    .parse((await get('/mcp/public/agents/marketplace.json')).json())
  const [{ source }] = listing.plugins
  expect(source.url).toBe(`${publicUrl}/mcp/public/agents/flamegate-plugin.zip`)
  expect(hash('sha256', (await get(source.url)).rawPayload, 'hex')).toBe(source.sha256)
  const plugin = await unpacked(source.url)
  const expected = files.filter(({ path }) => path.startsWith(`${pluginFolder}/`))
  expect(Object.keys(plugin).toSorted()).toEqual(
    expected.map(({ path }) => path.slice(pluginFolder.length + 1)).toSorted(),
  )
  expect(plugin).toHaveProperty(['.claude-plugin/plugin.json'])
})

test('the same files are packed to the same bytes, so that nothing seems new', async () => {
  const again = await startTestGateway(publicUrl)
  const path = '/mcp/public/agents/flamegate-plugin.zip'
  expect((await again.app.inject(path)).rawPayload).toEqual((await get(path)).rawPayload)
  await again.close()
})

test('installers find every skill where they look, with its digest', async () => {
  const answer = await get('/.well-known/agent-skills/index.json')
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
  })
  const index = z
    .strictObject({
      $schema: z.literal('https://schemas.agentskills.io/discovery/0.2.0/schema.json'),
      skills: z.array(
        z.strictObject({
          name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
          type: z.literal('skill-md'),
          description: z.string().min(1).max(1024),
          url: z.string(),
          digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
        }),
      ),
    })
    .parse(answer.json())
  const skills = skillsOf(texts)
  expect(index.skills.map(({ name }) => name)).toEqual(skills.map(({ name }) => name))
  for (const [place, { url, digest }] of index.skills.entries()) {
    const file = await get(url)
    expect(file.body).toBe(skills[place]?.file)
    expect(`sha256:${hash('sha256', file.rawPayload, 'hex')}`).toBe(digest)
  }
})

test('who asks for a skill that is not there is told where all of them are', async () => {
  const answer = await get('/.well-known/agent-skills/nothing/SKILL.md')
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toMatchObject({
    code: 'not_found',
    detail: expect.stringContaining('/.well-known/agent-skills/index.json'),
  })
})
