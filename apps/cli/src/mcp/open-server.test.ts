import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { withServer } from './open-server.ts'

/** A server whose list of tools is what `page` makes of the cursor. */
function pagesOf(page: string): readonly [string, ...string[]] {
  return [
    process.execPath,
    '-e',
    `const inputSchema = { type: 'object' }
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      const hello = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'paged', version: '1' } }
      if (id === undefined) return
      const result = method === 'initialize' ? hello : (${page})(params.cursor)
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })`,
  ]
}

async function toolsOf(command: readonly [string, ...string[]]) {
  return withServer(
    { kind: 'stdio', name: 'paged', from: 'a test', command, env: {}, cwd: import.meta.dirname },
    {
      env: process.env,
      timeoutMs: 5000,
      showLogIn: () => {},
      interruption: new AbortController().signal,
    },
    ({ tools, connection }) => Promise.resolve({ names: tools.map(({ name }) => name), tools, connection }),
  )
}

test.each([
  ['left out', '(cursor) => cursor === "b" ? two : { ...one, nextCursor: "b" }'],
  ['null', '(cursor) => cursor === "b" ? { ...two, nextCursor: null } : { ...one, nextCursor: "b" }'],
  ['empty', '(cursor) => cursor === "b" ? { ...two, nextCursor: "" } : { ...one, nextCursor: "b" }'],
  ['the same', '(cursor) => ({ ...(cursor === "b" ? two : one), nextCursor: "b" })'],
])('the list of tools ends with a page whose next cursor is %s', async (_what, page) => {
  const pages =
    '{ one: { tools: [{ name: "one", inputSchema }] }, two: { tools: [{ name: "two", inputSchema }] } }'
  const { names, connection } = await toolsOf(
    pagesOf(`(cursor) => { const { one, two } = ${pages}; return (${page})(cursor) }`),
  )
  expect([names, connection.tools]).toEqual([['one', 'two'], 2])
})

test('null is the same as nothing in what a tool says of itself', async () => {
  const hints = '{ readOnlyHint: true, destructiveHint: null }'
  const tools = `[{ name: "one", inputSchema, annotations: ${hints} }, { name: "two", inputSchema, annotations: null }]`
  expect((await toolsOf(pagesOf(`() => ({ tools: ${tools} })`))).tools).toEqual([
    { name: 'one', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    { name: 'two', inputSchema: { type: 'object' } },
  ])
})

test.skipIf(process.platform === 'win32')('what a server started ends with it', async () => {
  const mark = `${Date.now() % 100_000}.25`
  const [program, ...args] = pagesOf('() => ({ tools: [] })')
  const script = `sleep ${mark} > /dev/null 2>&1 < /dev/null & exec "$0" "$@"`
  await toolsOf(['/bin/sh', '-c', script, program, ...args])
  await expect.poll(() => spawnSync('pgrep', ['-f', `sleep ${mark}`]).stdout.toString()).toBe('')
})
