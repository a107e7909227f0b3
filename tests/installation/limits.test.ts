import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BrowserlessPerson } from '../system/browserless-person.ts'
import { startOwnPlatform, type OwnPlatform } from './own-platform.ts'

/** Limits as clients meet them, on a platform whose limits are a fiftieth of the usual. */

let platform: OwnPlatform
let workspaceId: string
let token: string
let otherToken: string

const workspaces = z.object({ workspaces: z.array(z.object({ id: z.string() })) })
const problem = z.object({ code: z.string(), detail: z.string(), retry_after_seconds: z.number() })

beforeAll(async () => {
  platform = await startOwnPlatform({ FLAMEGATE_RATE_LIMITS: '0.02' })
  const person = await BrowserlessPerson.signUp(platform.url, 'Limits')
  const listed = workspaces.parse(await (await person.rest('GET', '/v1/workspaces')).json())
  workspaceId = listed.workspaces[0]?.id ?? ''
  const newToken = async (name: string) => {
    const made = await person.post(`/v1/workspaces/${workspaceId}/api-tokens`, { name, scopes: ['read'] })
    return z.object({ secret: z.string() }).parse(await made.json()).secret
  }
  token = await newToken('One')
  otherToken = await newToken('Other')
})
afterAll(() => platform?.stop())

const rest = (path: string, bearer = token) =>
  fetch(`${platform.url}/v1${path}`, { headers: { authorization: `Bearer ${bearer}` } })

async function callTool(
  name: string,
  input: object,
): Promise<{ status: number; isError: boolean; text: string }> {
  const response = await fetch(`${platform.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  const { result } = z
    .object({
      result: z.object({
        isError: z.boolean().default(false),
        content: z.array(z.object({ text: z.string() })),
      }),
    })
    .parse(await response.json())
  return { status: response.status, isError: result.isError, text: result.content[0]?.text ?? '' }
}

describe('a client that calls too much', () => {
  test('is told over REST by status, headers and words, and served again when it has waited', async () => {
    const first = await rest('/workspaces')
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit')).toMatch(/"tool";r=\d+;t=\d/)
    await first.text()
    let refused = first
    for (let call = 0; call < 30 && refused.status === 200; call += 1) refused = await rest('/workspaces')
    expect(refused.status).toBe(429)
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(refused.headers.get('ratelimit')).toContain(`"tool";r=0;t=${wait}`)
    expect(refused.headers.get('ratelimit-policy')).toMatch(/"tool";q=8;w=10, .*qu="concurrent-requests"/)
    const { code, detail, retry_after_seconds: wordsWait } = problem.parse(await refused.json())
    expect({ code, wordsWait }).toEqual({ code: 'rate_limited', wordsWait: wait })
    expect(detail).toContain(`Retry in ${wait} second`)
    await new Promise((resolve) => setTimeout(resolve, wait * 1000))
    expect((await rest('/workspaces')).status).toBe(200)
  })

  test('is told over MCP in a result that a model can read', async () => {
    let answer = await callTool('list_projects', { workspace_id: workspaceId })
    for (let call = 0; call < 30 && !answer.isError; call += 1) {
      answer = await callTool('list_projects', { workspace_id: workspaceId })
    }
    expect(answer).toMatchObject({ status: 200, isError: true })
    expect(answer.text).toMatch(
      /\(rate_limited\)\. The limit "(?:tool|client)" is reached: .*Retry in \d+ seconds?\./,
    )
  })

  test('can still ask how it stands', async () => {
    const { isError, text } = await callTool('get_usage', { workspace_id: workspaceId })
    expect(isError).toBe(false)
    expect(text).toMatch(/\| client \| \d+ \| 12 \| \d+ \|/)
  })
})

test('too many calls at once are refused as such', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => rest('/me', otherToken)))
  const details = await Promise.all(
    answers
      .filter(({ status }) => status === 429)
      .map(async (answer) => problem.parse(await answer.json()).detail),
  )
  // One at a time is a fiftieth of fifty.
  expect(details.length).toBeGreaterThan(0)
  expect(details.join('\n')).toContain('"client-concurrency"')
})

test('whoever tries out tokens has to wait, those with a right one have not', async () => {
  const guesses = await Promise.all(
    Array.from({ length: 130 }, (_, index) => rest('/me', `fg_guess_${index}`).then(({ status }) => status)),
  )
  expect(new Set(guesses)).toEqual(new Set([401, 429]))
  const late = await rest('/me', 'fg_one_more')
  expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true])
  const overMcp = await fetch(`${platform.url}/mcp`, {
    method: 'POST',
    headers: { authorization: 'Bearer fg_one_more' },
  })
  expect([overMcp.status, Number(overMcp.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await rest('/me')).status).toBe(200)
})

test('a client that asks for tokens too often is told so in the words of OAuth', async () => {
  const parameters = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'hurried' }
  const ask = () =>
    fetch(`${platform.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(parameters) })
  expect(await statusesUntilRefused(ask)).toEqual(new Set([401, 429]))
  const refused = await ask()
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' })
})

test('a browser that opens log-ins of apps without end is asked to wait', async () => {
  const url = `${platform.url}/oauth/authorize?client_id=x`
  const statuses = await statusesUntilRefused(() => fetch(url, { redirect: 'manual' }))
  expect(statuses).toEqual(new Set([400, 429]))
})

async function statusesUntilRefused(ask: () => Promise<Response>): Promise<Set<number>> {
  const statuses = new Set<number>()
  for (let count = 0; count < 40 && !statuses.has(429); count += 1) statuses.add((await ask()).status)
  return statuses
}
