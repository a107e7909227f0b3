import { expect, test } from 'vitest'
import { run } from '../testing/run.ts'
import { echo, startTestServer } from '../testing/test-server.ts'

const script = (source: string, more: Record<string, unknown> = {}) => ({
  type: 'script',
  name: 'S',
  source,
  ...more,
})

async function failureOf(
  source: string,
  more: Record<string, unknown> = {},
): Promise<string | null | undefined> {
  return (await run([script(source, more)])).results[0]?.failure
}

test('a script reads the last answer and variables, sets variables and speaks', async () => {
  const server = await startTestServer({ '/a': echo })
  const { results } = await run(
    [
      script('vars.set("before", String(response))'),
      { type: 'http_request', method: 'POST', server_id: 'srv', path: '/a' },
      script(`
        const body = JSON.parse(response.body)
        vars.set('method', body.method)
        vars.set('list', [1, true, 'x'])
        vars.set('sum', Math.round(1.5) + Number(vars.get('one')))
        console.log(response.status, response.headers['content-type'], response.url, vars.get('list'), vars.get('nobody'))
      `),
    ],
    {
      servers: { srv: { base_url: server.url } },
      variables: [{ type: 'constant', name: 'one', value: '1' }],
    },
  )
  await server.stop()
  expect(results[0]?.variables).toEqual({ before: 'null' })
  expect(results[2]?.failure).toBeNull()
  expect(results[2]?.variables).toEqual({ method: 'POST', list: '["1","true","x"]', sum: '3' })
  expect(results[2]?.messages).toEqual([`200 application/json ${server.url}/a ["1","true","x"] undefined`])
})

test('errors are told with their line', async () => {
  expect(await failureOf('let a = 1\n\nnull.x')).toMatch(/^The script “S” failed at line 3: TypeError: /)
  expect(await failureOf('let a = = 1')).toMatch(/^The script “S” failed at line 1: SyntaxError: /)
  expect(await failureOf('throw 5')).toBe('The script “S” failed: it threw 5')
  expect(await failureOf('vars.set("a b", 1)')).toMatch(/a b is no name of a variable/)
  expect(await failureOf('vars.set("a", {})')).toMatch(/A variable holds a text/)
})

test('there is nothing of ours to be reached', async () => {
  const names = [
    'process',
    'require',
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'setTimeout',
    'Buffer',
    'import.meta',
  ]
  for (const name of names.slice(0, -1)) expect(await failureOf(`${name}.x`)).toContain('ReferenceError')
  expect(await failureOf('import("node:fs").then(() => vars.set("in", 1))')).toBeNull()
  const { results } = await run([
    script('console.log(vars.get.constructor("return typeof process")(), Object.keys(globalThis).join())'),
    script('globalThis.left = 1; Object.prototype.left = 1'),
    script('console.log(typeof left, ({}).left)'),
  ])
  expect(results[0]?.messages).toEqual(['undefined vars,console,response'])
  expect(results[2]?.messages).toEqual(['undefined undefined'])
})

test('time and memory are limited', async () => {
  const late = 'The script “S” ran for more than 50 ms of processor time.'
  expect(await failureOf('for (;;);', { timeout_ms: 50 })).toBe(late)
  expect(await failureOf('try { for (;;); } finally { for (;;); }', { timeout_ms: 50 })).toBe(late)
  expect(await failureOf('(async () => { for (;;) await null })()', { timeout_ms: 50 })).toBe(late)
  expect(await failureOf('/(a+)+$/.test("a".repeat(40) + "b")', { timeout_ms: 50 })).toBe(late)
  expect(
    await failureOf('const a = []; for (;;) a.push(new Uint8Array(1e6))', { timeout_ms: 5000 }),
  ).toContain('more than 32 MB')
  expect(await failureOf('const f = () => f() + 1; f()')).toMatch(/stack overflow|call stack/i)
  expect(await failureOf('vars.set("fine", 1)')).toBeNull()
})

test('what it says is cut', async () => {
  const { results } = await run([script('for (let i = 0; i < 1000; i++) console.log("x".repeat(5000))')])
  expect(results[0]?.messages).toHaveLength(201)
  expect(results[0]?.messages[0]).toHaveLength(2001)
})
