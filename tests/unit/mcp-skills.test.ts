import * as client from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../apps/gateway/src/oauth/test-site.ts'
import { startTestGateway } from '../../apps/gateway/src/test-gateway.ts'
import type { TestGateway } from '../../apps/gateway/src/test-gateway.ts'
import { publicTexts } from '../../packages/surfaces/src/index.ts'

// Skills over MCP (SEP-2640), as the SDK's own client takes them: it checks names, sizes, digests and front matter.

let gateway: TestGateway
let publicUrl: string

beforeAll(async () => {
  const port = await findFreePort()
  publicUrl = `http://127.0.0.1:${port}`
  gateway = await startTestGateway(publicUrl)
  await gateway.app.listen({ host: '127.0.0.1', port })
})
afterAll(() => gateway.close())

async function connect(mode: 'legacy' | 'auto') {
  const connected = new client.Client({ name: 'a-client', version: '1.0' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${await gateway.makeToken()}` }
  await connected.connect(
    new client.StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), { requestInit: { headers } }),
  )
  return { connected, skills: new SkillsClient(connected) }
}

test('every guide, and the overview, is a skill that can be read and verified', async () => {
  const { connected, skills } = await connect('auto')
  expect([skills.supported, skills.directoryRead]).toEqual([true, false])
  const { skills: listed } = await skills.list()
  const texts = publicTexts(publicUrl).filter(({ kind }) => kind !== 'schema')
  const expected = texts.map(({ kind, name, description }) => ({
    name: kind === 'overview' ? 'flamegate' : name,
    description,
  }))
  expect(listed.map(({ frontmatter }) => frontmatter)).toEqual(expected)
  for (const [index, skill] of listed.entries()) {
    const file = await skills.read(skill)
    expect(file).toMatchObject({ verified: true, mimeType: 'text/markdown' })
    expect(file.body?.trim()).toBe(texts[index]?.text.trim())
  }
  await connected.close()
})

test('one is found by its address, which is no other’s', async () => {
  const { connected, skills } = await connect('auto')
  const uri = 'skill://flamegate/explain-regression/SKILL.md'
  expect(await skills.get(uri)).toMatchObject({ skill: { uri }, ttlMs: 300_000, cacheScope: 'public' })
  const missing = 'skill://flamegate/nothing/SKILL.md'
  await expect(skills.get(missing)).rejects.toMatchObject({
    code: -32_602,
    message: expect.stringContaining(missing),
  })
  await expect(connected.readResource({ uri: missing })).rejects.toMatchObject({ code: -32_602 })
  await connected.close()
})

test('lists of resources do not repeat them', async () => {
  const { connected } = await connect('auto')
  const { resources } = await connected.listResources()
  expect(resources.filter(({ uri }) => uri.startsWith('skill:'))).toEqual([])
  await connected.close()
})

test('a client of an older revision is told of none', async () => {
  const { connected, skills } = await connect('legacy')
  expect(skills.supported).toBe(false)
  expect(await skills.list()).toMatchObject({ skills: [] })
  await connected.close()
})
