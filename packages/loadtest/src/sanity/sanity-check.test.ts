import { expect, test } from 'vitest'
import type { z } from 'zod'
import { httpServer } from '../model/http-server.ts'
import { variable } from '../model/variable.ts'
import { virtualUser } from '../model/virtual-user.ts'
import { sanityCheck } from './sanity-check.ts'

interface Given {
  user?: Record<string, unknown>
  servers?: Record<string, z.input<typeof httpServer>>
  variables?: z.input<typeof variable>[]
  files?: Record<string, number>
  unsetSecrets?: string[]
}

/** Grade, code and action of each finding. */
function draw(
  actions: object[],
  { user = {}, servers, variables = [], files = {}, unsetSecrets = [] }: Given = {},
): string[] {
  const own = servers ?? { srv_1: { name: 'shop', base_url: 'https://shop.example.com' } }
  const document = virtualUser.parse({ name: 'Shop', ...user, actions })
  return sanityCheck(document, {
    servers: new Map(Object.entries(own).map(([id, server]) => [id, httpServer.parse(server)])),
    variables: variables.map((each) => variable.parse(each)),
    files: new Map(Object.entries(files)),
    unsetSecrets: new Set(unsetSecrets),
  }).map(({ grade, code, actionId }) => [grade, code, ...(actionId === null ? [] : [actionId])].join(' '))
}

const get = (id: string, rest: object = {}) => ({
  type: 'http_request',
  id,
  name: id,
  method: 'GET',
  server_id: 'srv_1',
  path: '/',
  ...rest,
})
const wait = (id: string, ms: number) => ({ type: 'delay', id, duration: { distribution: 'constant', ms } })
const extractor = (name: string, rest: object = {}) => ({
  type: 'json_path',
  id: `e_${name}`,
  variable: name,
  path: '$.id',
  ...rest,
})

test('a good virtual user has no findings', () => {
  expect(
    draw(
      [get('a', { extractors: [extractor('id')] }), wait('w', 1000), get('b', { path: '/${id}?u=${user}' })],
      {
        variables: [{ type: 'csv', name: 'users', path: 'users.csv', columns: ['user', 'role'] }],
        files: { 'users.csv': 20 },
      },
    ),
  ).toEqual([])
})

test.each<[string, object[], Given, string[]]>([
  ['nothing is sent', [], {}, ['ERROR no_requests']],
  ['an unknown server', [get('a', { server_id: 'srv_9' })], {}, ['ERROR unknown_server a']],
  [
    'a missing and an empty file',
    [
      get('a', { body: { type: 'multipart', parts: [{ type: 'file', name: 'f', path: 'no.png' }] } }),
      wait('w', 1),
      get('b', { body: { type: 'file', path: 'empty.bin' } }),
    ],
    { files: { 'empty.bin': 0 } },
    ['ERROR missing_file a', 'WARNING empty_file b'],
  ],
  [
    'nothing of a file that was not chosen and is sent as empty',
    [
      get('a', {
        body: { type: 'multipart', parts: [{ type: 'file', name: 'f', path: 'e.bin', file_name: '' }] },
      }),
    ],
    { files: { 'e.bin': 0 } },
    [],
  ],
  [
    'a missing CSV file that is used, and one that ends the user',
    [get('a', { path: '/${x}${y}' })],
    {
      variables: [
        { type: 'csv', name: 'c1', path: 'no.csv', columns: ['x'] },
        { type: 'csv', name: 'c2', path: 'b.csv', columns: ['y'], at_end: 'stop' },
      ],
      files: { 'b.csv': 1 },
    },
    ['ERROR missing_file', 'INFO file_end_stops'],
  ],
  [
    'conflicting columns',
    [get('a', { path: '/${x}${y}' })],
    {
      variables: [
        { type: 'csv', name: 'c1', path: 'a.csv', columns: ['x', 'y'] },
        { type: 'csv', name: 'c2', path: 'a.csv', columns: ['y'] },
        { type: 'constant', name: 'x', value: '1' },
      ],
      files: { 'a.csv': 1 },
    },
    ['ERROR conflicting_columns', 'ERROR conflicting_columns'],
  ],
  [
    'variables that are not there, and such as nobody uses',
    [get('a', { headers: [{ name: 'X', value: '${nope}' }] })],
    {
      variables: [{ type: 'uuid', name: 'spare' }],
    },
    ['ERROR unresolved_variable a', 'INFO unused_variable'],
  ],
  [
    'a variable that the first line of a file may name',
    [get('a', { path: '/${maybe}' })],
    {
      variables: [{ type: 'csv', name: 'c', path: 'a.csv' }],
      files: { 'a.csv': 1 },
    },
    ['WARNING unresolved_variable a'],
  ],
  [
    'variables that other variables, servers and scripts use',
    [
      get('a', { path: '/${outer}' }),
      wait('w', 1),
      { type: 'script', id: 's', name: 's', source: "vars.set('made', vars.get('seed'))" },
      get('b', { path: '/${made}' }),
    ],
    {
      servers: { srv_1: { name: 'shop', base_url: 'https://${host}' } },
      variables: [
        { type: 'constant', name: 'outer', value: '${inner}' },
        { type: 'constant', name: 'inner', value: '1' },
        { type: 'constant', name: 'host', value: 'x' },
        { type: 'constant', name: 'seed', value: '1' },
      ],
    },
    [],
  ],
  [
    'a variable that only a disabled action sets',
    [get('a', { enabled: false, extractors: [extractor('x')] }), get('b', { path: '/${x}' })],
    {},
    ['ERROR unresolved_variable b'],
  ],
  [
    'an extractor that nobody uses, or that has the name of a variable',
    [
      get('a', {
        path: '/${x}',
        extractors: [extractor('unused'), extractor('x'), extractor('off', { enabled: false })],
      }),
    ],
    { variables: [{ type: 'uuid', name: 'x' }] },
    ['WARNING unused_extractor a', 'WARNING duplicate_name a'],
  ],
  [
    'empty scripts, containers and pages',
    [
      get('a'),
      { type: 'script', id: 's', name: 's', source: '// to do\n/* nothing */' },
      { type: 'container', id: 'c', name: 'c', actions: [get('off', { enabled: false })] },
      { type: 'page', id: 'p', name: 'p', steps: [] },
      wait('w', 1),
    ],
    {},
    ['WARNING empty_script s', 'WARNING empty_container c', 'WARNING empty_page p'],
  ],
  ['no think times', [get('a'), get('b')], {}, ['WARNING no_think_time']],
  [
    'think times that the factor makes 0',
    [get('a'), wait('w', 1000), get('b')],
    { user: { think_time_factor: 0 } },
    ['WARNING no_think_time'],
  ],
  [
    'a long think time, and bounds the wrong way round',
    [
      get('a'),
      wait('w', 301_000),
      { type: 'delay', id: 'u', duration: { distribution: 'uniform', min_ms: 5, max_ms: 2 } },
    ],
    {},
    ['ERROR duration_bounds u', 'WARNING long_think_time w'],
  ],
  [
    'a Host header of another server',
    [get('a', { headers: [{ name: 'Host', value: 'other.example.com' }] })],
    {},
    ['WARNING host_header a'],
  ],
  [
    'empty query parameters',
    [
      get('a', {
        query: [
          { name: 'q', value: '' },
          { name: '', value: 'x' },
        ],
      }),
    ],
    {},
    ['WARNING empty_query_parameter a', 'INFO empty_query_parameter a'],
  ],
  ['unnamed actions', [get('a', { name: '' })], {}, ['INFO unnamed_action a']],
  [
    'what an import disabled',
    [get('a'), get('b', { enabled: false, disabled_reason: 'ads.example.com is not verified.' })],
    {},
    ['WARNING disabled_by_import b'],
  ],
  [
    'a while that nothing ends',
    [
      get('a', { path: '/${state}', extractors: [extractor('state')] }),
      {
        type: 'while',
        id: 'l',
        condition: { comparisons: [{ left: '${state}', operator: 'equals', right: 'x' }] },
        actions: [wait('w', 5)],
      },
      {
        type: 'while',
        id: 'm',
        condition: { comparisons: [{ left: '${state}', operator: 'equals', right: 'x' }] },
        actions: [wait('v', 5), get('b', { extractors: [extractor('state')] })],
      },
    ],
    {},
    ['WARNING while_without_exit l'],
  ],
  [
    'containers of one name, and actions of one id',
    [
      { type: 'container', id: 'c', name: 'Buy', actions: [get('a')] },
      { type: 'container', id: 'd', name: 'Buy', actions: [get('a'), wait('w', 1)] },
    ],
    {},
    ['ERROR duplicate_id a', 'INFO duplicate_name d'],
  ],
  [
    'secrets in plain text',
    [
      get('a', {
        headers: [{ name: 'Authorization', value: 'Bearer abc' }],
        body: {
          type: 'form',
          fields: [
            { name: 'user[password]', value: 'x' },
            { name: 'password', value: '${pw}' },
          ],
        },
      }),
    ],
    {
      servers: {
        srv_1: {
          name: 'shop',
          base_url: 'https://shop.example.com',
          authentication: { type: 'basic', user_name: 'a', password: 'b' },
        },
      },
      variables: [{ type: 'secret', name: 'pw' }],
    },
    ['WARNING plain_secret a', 'WARNING plain_secret a', 'WARNING plain_secret'],
  ],
  [
    'passwords that steps of a page type',
    [
      {
        type: 'page',
        id: 'p',
        name: 'Log in',
        steps: [
          { type: 'goto', id: 's0', server_id: 'srv_1', path: '/login' },
          { type: 'fill', id: 's1', locator: { by: 'css', value: '#password' }, value: 'x' },
          { type: 'fill', id: 's2', locator: { by: 'role', value: 'textbox', name: 'Password' }, value: 'x' },
          { type: 'fill', id: 's3', locator: { by: 'label', value: 'Password' }, value: '${pw}' },
          { type: 'fill', id: 's4', locator: { by: 'label', value: 'User' }, value: 'x' },
        ],
      },
    ],
    { variables: [{ type: 'secret', name: 'pw' }] },
    ['INFO plain_secret p', 'INFO plain_secret p'],
  ],
  [
    'a secret that is sent and has no value yet, unlike one that nothing sends',
    [get('a', { headers: [{ name: 'X-Key', value: '${key}' }] })],
    {
      variables: [
        { type: 'secret', name: 'key' },
        { type: 'secret', name: 'other' },
      ],
      unsetSecrets: ['key', 'other'],
    },
    ['ERROR unset_secret', 'INFO unused_variable'],
  ],
  [
    'weights of 0',
    [get('a'), { type: 'random', id: 'r', choices: [{ weight: 0, actions: [wait('w', 1)] }] }],
    {},
    ['ERROR no_weight r'],
  ],
  [
    'cookies that are cleared behind a login, or not kept',
    [{ type: 'once', id: 'o', name: 'Log in', actions: [get('a')] }],
    {},
    ['WARNING cookies_cleared'],
  ],
  [
    'cookies that are not kept',
    [get('a')],
    { user: { cookies: { keep: false } } },
    ['WARNING cookies_not_kept'],
  ],
  [
    'a message without a connection',
    [get('a'), wait('w', 1), { type: 'websocket', operation: 'send', id: 's', message: 'x' }],
    {},
    ['ERROR no_connection s'],
  ],
  [
    'patterns that cannot be read',
    [
      get('a', {
        path: '/${x}${y}',
        extractors: [
          { type: 'regex', id: 'e1', variable: 'x', pattern: '(' },
          extractor('y', { path: '$[' }),
        ],
      }),
    ],
    {},
    ['ERROR pattern a', 'ERROR json_path a'],
  ],
])('%s', (_, actions, given, expected) => {
  expect(draw(actions, given)).toEqual(expected)
})
