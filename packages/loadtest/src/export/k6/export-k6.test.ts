import { runInNewContext } from 'node:vm'
import { parse } from '@babel/parser'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { httpServer, type HttpServer } from '../../model/http-server.ts'
import { type Variable, variable } from '../../model/variable.ts'
import { virtualUser } from '../../model/virtual-user.ts'
import { arbitraryVirtualUser } from '../../testing/arbitrary-virtual-user.ts'
import { exportK6 } from './export-k6.ts'

const servers = new Map<string, HttpServer>([
  [
    'srv_1',
    httpServer.parse({
      name: 'Shop',
      base_url: 'https://${host}/base',
      headers: [{ name: 'Accept', value: '*/*' }],
    }),
  ],
  [
    'srv_2',
    httpServer.parse({
      name: 'Pay',
      base_url: 'https://pay.example.com',
      authentication: { type: 'digest', user_name: 'me', password: '${secret}' },
    }),
  ],
])

const user = (...actions: object[]) =>
  virtualUser.parse({ name: 'Shop', actions: actions.map((each, index) => ({ id: `a${index}`, ...each })) })

const get = { type: 'http_request', method: 'GET', server_id: 'srv_1', path: '/' }

/** The script, which is checked to be one. */
function script(actions: object[], variables: readonly Variable[] = []): string {
  const { text } = exportK6(user(...actions), servers, variables)
  parse(text, { sourceType: 'module' })
  return text
}

test('any virtual user becomes a module of JavaScript', () => {
  fc.assert(
    fc.property(arbitraryVirtualUser, (document) => {
      const { text } = exportK6(document, servers, [])
      expect(() => parse(text, { sourceType: 'module' })).not.toThrow()
    }),
    { numRuns: 200 },
  )
})

test('names, comments and texts cannot leave their place', () => {
  const hostile = '*/ \u2028 `${process}` \'"; throw 1 //\n}'
  const text = script([
    {
      ...get,
      name: hostile,
      comment: hostile,
      body: null,
      headers: [{ name: 'X', value: hostile.replaceAll('$', '') }],
    },
    { type: 'script', source: `\u2029throw 2\r\n${hostile}` },
    { type: 'container', name: hostile, actions: [] },
  ])
  const calls = parse(text, { sourceType: 'module' }).program.body.map(({ type }) => type)
  expect(calls).not.toContain('ThrowStatement')
  expect(text.split(/[\n\u2028\u2029]/).some((line) => /^\s*throw [12]/.test(line))).toBe(false)
})

test('a container is a group, with its requests, checks and pauses', () => {
  const text = script([
    {
      type: 'container',
      name: 'Log in',
      actions: [
        { ...get, id: 'r', assertions: [{ id: 's', type: 'status', allowed: ['2xx'] }] },
        { type: 'delay', id: 'd', duration: { distribution: 'constant', ms: 1500 } },
      ],
    },
  ])
  expect(text).toContain('group("Log in", () => {')
  expect(text).toContain('"https://" + value("host") + "/base/"')
  expect(text).toContain('"1: status 2xx": (r) => isStatus(r, ["2xx"]),')
  expect(text).toContain('sleep((1500) * 0.001)')
  expect(text).toContain("import { check, group, sleep } from 'k6'")
})

test('a request that asks nothing of its status must be below 400', () => {
  expect(script([get])).toContain("'the status is below 400'")
})

test('values are taken out of responses, and stand where they are used', () => {
  const text = script([
    {
      ...get,
      extractors: [
        { id: 'a', type: 'regex', variable: 'csrf', pattern: 'csrf="(.+?)"' },
        {
          id: 'b',
          type: 'json_path',
          variable: 'ids',
          path: "$.items[*]['the id']",
          match: 'all',
          default: '',
        },
        { id: 'c', type: 'css', variable: 'next', selector: 'a.next', attribute: 'href' },
      ],
    },
    {
      ...get,
      method: 'POST',
      path: '/items/${ids[1]}',
      body: { type: 'form', fields: [{ name: 'csrf', value: '${csrf}' }] },
    },
  ])
  expect(text).toContain(String.raw`keep("csrf", matches(response.body, "csrf=\"(.+?)\"", "", 1), 1, null)`)
  expect(text).toContain(`keep("ids", atPath(response, ["items","*","the id"]), "all", '')`)
  expect(text).toContain('keep("next", selected(response, "a.next", "href"), 1, null)')
  expect(text).toContain('"/base/items/" + value("ids", 1)')
  expect(text).toContain('encoded([["csrf", value("csrf")]])')
})

test('a CSV file is a SharedArray, one line of it for each iteration', () => {
  const text = script(
    [{ ...get, path: '/${name}' }],
    [variable.parse({ type: 'csv', name: 'users', path: 'users.csv', columns: ['name'], at_end: 'stop' })],
  )
  expect(text).toContain("import { SharedArray } from 'k6/data'")
  expect(text).toContain('readCsv(open("./users.csv"), ",", "\\"", 0, ["name"])')
  expect(text).toContain('takeRow(rows1, exec.scenario.iterationInTest, false)')
})

test('secrets come from the environment', () => {
  const { text, notes } = exportK6(user(get), servers, [variable.parse({ type: 'secret', name: 'secret' })])
  expect(text).toContain(`"secret": () => __ENV["secret"] || '',`)
  expect(notes.map(({ text: note }) => note)).toContain('Give the secret secret to k6 with -e secret=….')
})

test('what k6 cannot say has a note, with the action it is about', () => {
  const { notes } = exportK6(
    user(
      { type: 'websocket', operation: 'close' },
      { type: 'page', steps: [] },
      { type: 'script', source: '1' },
      { ...get, extractors: [{ id: 'x', type: 'xpath', variable: 'a', expression: '//a' }] },
      { ...get, extractors: [{ id: 'x', type: 'json_path', variable: 'a', path: '$..a' }] },
      { ...get, enabled: false },
    ),
    servers,
    [],
  )
  expect(notes.flatMap(({ actionId }) => actionId ?? [])).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5'])
})

const standIns = {
  group: (_: string, inner: () => void) => inner(),
  sleep: () => {},
  exec: { vu: { iterationInInstance: 0 }, scenario: { iterationInTest: 1 }, test: { abort: () => {} } },
  SharedArray: function SharedArray(_: string, read: () => unknown[]) {
    return read()
  },
  open: () => 'ann;"a;""b"""\r\nbob;x\n',
  __ENV: { secret: 'top' },
}

/** The script without its imports, run with stand-ins for k6. */
function run(text: string, response: object): { sent: unknown[][]; checks: Record<string, boolean> } {
  const sent: unknown[][] = []
  const checks: Record<string, boolean> = {}
  const http = {
    request: (...call: unknown[]) => {
      sent.push(call)
      return response
    },
  }
  const check = (subject: unknown, tests: Record<string, (subject: unknown) => boolean>) => {
    for (const [name, ask] of Object.entries(tests)) checks[name] = ask(subject)
  }
  const body = text
    .replaceAll(/^import .*$/gm, '')
    .replaceAll(/^export (?:default )?/gm, '')
    .replace('function ()', 'function main()')
  runInNewContext(`${body}\nmain()`, { ...standIns, http, check })
  return { sent, checks }
}

test('a query goes on behind one that the path has', () => {
  const text = script([{ ...get, path: '/x?wsdl', query: [{ name: 'q', value: '1' }] }])
  expect(text).toMatch(/\?wsdl.*? \+ '&' \+ encoded\(/)
})

test('the script does what the virtual user does', () => {
  const text = script(
    [
      { type: 'set_variable', variable: 'host', value: 'shop.example.com' },
      {
        ...get,
        query: [{ name: 'q', value: 'a&${name}' }],
        extractors: [
          { id: 'a', type: 'json_path', variable: 'ids', path: '$.items[*].id', match: 'all' },
          { id: 'b', type: 'boundaries', variable: 'first', left: '"id":', right: ',' },
          { id: 'c', type: 'header', variable: 'type', name: 'content-type' },
          { id: 'd', type: 'regex', variable: 'lost', pattern: 'nowhere', default: 'none' },
        ],
        assertions: [
          { id: 's', type: 'status', allowed: ['2xx'] },
          { id: 't', type: 'json_path', path: '$.items[-1].id', equals: '8' },
          { id: 'u', type: 'body_contains', text: 'nothing', negate: true },
        ],
      },
      {
        type: 'for_each',
        list: 'ids',
        variable: 'id',
        actions: [
          {
            type: 'if',
            id: 'i',
            condition: { comparisons: [{ left: '${id}', operator: 'greater', right: '7.5' }] },
            actions: [{ ...get, id: 'g', server_id: 'srv_2', path: '/${id}/${first}/${lost}/${ids.length}' }],
          },
        ],
      },
    ],
    [
      variable.parse({
        type: 'csv',
        name: 'users',
        path: 'u.csv',
        columns: ['name', 'word'],
        delimiter: ';',
      }),
      variable.parse({ type: 'secret', name: 'secret' }),
      variable.parse({ type: 'counter', name: 'n', start: 5, digits: 3 }),
    ],
  )
  const json = { items: [{ id: 7, a: 1 }, { id: 8 }] }
  const { sent, checks } = run(text, {
    status: 200,
    body: JSON.stringify(json),
    json: () => json,
    headers: { 'Content-Type': 'application/json' },
    timings: { duration: 1 },
  })
  expect(sent.map((call) => call[1])).toEqual([
    'https://shop.example.com/base/?q=a%26bob',
    'https://me:top@pay.example.com/8/7/none/2',
  ])
  expect(Object.values(checks).every((isPassed) => isPassed)).toBe(true)
  expect(Object.keys(checks)).toHaveLength(4)
})
