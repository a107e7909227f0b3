import { correlationRule } from '../../../packages/loadtest/src/model/correlation-rule.ts'
import { httpServer } from '../../../packages/loadtest/src/model/http-server.ts'
import { variable } from '../../../packages/loadtest/src/model/variable.ts'
import { virtualUser } from '../../../packages/loadtest/src/model/virtual-user.ts'
import type { Archive } from '../../../packages/loadtest/src/archive/archive.ts'

const request = (id: string, more: object = {}) => ({
  type: 'http_request',
  id,
  name: `Request ${id}`,
  method: 'POST',
  server_id: 'srv_1',
  path: '/orders/${order}',
  ...more,
})
const comparisons = [{ left: '${order}', operator: 'not_equals', right: '1' }]

/** A virtual user with each kind of action, and what it needs. */
export const everything: Archive = {
  virtualUsers: [
    {
      id: 'vu_1',
      document: virtualUser.parse({
        name: 'Everything',
        user_agent: 'Mozilla/5.0',
        actions: [
          {
            type: 'container',
            id: 'a1',
            name: 'Order',
            actions: [
              request('a2', {
                query: [{ name: 'q', value: '${word}' }],
                headers: [{ name: 'Accept', value: '*/*' }],
                body: { type: 'json', text: '{"product_id": "${word}"}' },
                extractors: [
                  { type: 'json_path', id: 'e1', variable: 'order', path: '$.items[0].id', default: 'none' },
                  { type: 'regex', id: 'e2', variable: 'csrf', pattern: 'name="csrf" value="([^"]+)"' },
                  {
                    type: 'css',
                    id: 'e3',
                    variable: 'link',
                    selector: 'a.next',
                    attribute: 'href',
                    match: 'random',
                  },
                  { type: 'xpath', id: 'e4', variable: 'title', expression: '//h1/text()' },
                  { type: 'boundaries', id: 'e5', variable: 'ids', left: 'id=', right: '&', match: 'all' },
                  { type: 'header', id: 'e6', variable: 'etag', name: 'ETag' },
                ],
                assertions: [
                  { type: 'status', id: 's1', allowed: ['200', '3xx'] },
                  { type: 'body_contains', id: 's2', text: 'Thanks', negate: true },
                  { type: 'body_matches', id: 's3', pattern: 'ord_\\d+' },
                  { type: 'json_path', id: 's4', path: '$.total', equals: '5' },
                  { type: 'size', id: 's5', max_bytes: 10_000 },
                  { type: 'duration', id: 's6', max_ms: 2000 },
                ],
              }),
              request('a3', {
                body: {
                  type: 'multipart',
                  parts: [
                    { type: 'field', name: 'note', value: '${word}' },
                    { type: 'file', name: 'file', path: 'data/users.csv', content_type: 'text/csv' },
                  ],
                },
                resources: { mode: 'listed', list: [{ id: 'r1', server_id: 'srv_1', path: '/x.css' }] },
              }),
              request('a4', { body: { type: 'form', fields: [{ name: 'user', value: '${login}' }] } }),
            ],
          },
          {
            type: 'if',
            id: 'a5',
            condition: { combine: 'any', comparisons },
            actions: [
              { type: 'delay', id: 'a6', duration: { distribution: 'uniform', min_ms: 1, max_ms: 9 } },
            ],
            else_actions: [{ type: 'set_variable', id: 'a7', variable: 'order', value: '${order}1' }],
          },
          {
            type: 'while',
            id: 'a8',
            condition: { comparisons },
            actions: [request('a9', { method: 'GET' })],
          },
          { type: 'loop', id: 'a10', count: '3', actions: [request('a11', { method: 'DELETE' })] },
          { type: 'for_each', id: 'a12', list: 'ids', variable: 'one', actions: [request('a13')] },
          {
            type: 'random',
            id: 'a14',
            choices: [
              { weight: 70, actions: [request('a15', { method: 'GET' })] },
              {
                weight: 30,
                actions: [
                  {
                    type: 'delay',
                    id: 'a16',
                    duration: { distribution: 'gaussian', mean_ms: 300, deviation_ms: 100 },
                  },
                ],
              },
            ],
          },
          { type: 'once', id: 'a17', actions: [{ type: 'script', id: 'a18', source: "vars.set('a', 1)" }] },
          { type: 'websocket', operation: 'connect', id: 'a19', server_id: 'srv_2', path: '/live' },
          { type: 'websocket', operation: 'send', id: 'a20', message: 'hello ${word}' },
          { type: 'websocket', operation: 'expect', id: 'a21', contains: 'PAID' },
          { type: 'websocket', operation: 'close', id: 'a22' },
          {
            type: 'page',
            id: 'a23',
            steps: [
              { type: 'goto', id: 'p1', server_id: 'srv_1', path: '/' },
              { type: 'click', id: 'p2', locator: { by: 'role', value: 'button', name: 'Order' } },
              { type: 'expect', id: 'p3', what: 'title', expected: 'Shop' },
            ],
          },
          { type: 'pacing', id: 'a24', interval: { distribution: 'constant', ms: 1000 } },
        ],
      }),
    },
  ],
  servers: [
    {
      id: 'srv_1',
      document: httpServer.parse({
        name: 'shop',
        base_url: 'https://shop.example.com:8443/api',
        headers: [{ name: 'X-Team', value: 'load' }],
        authentication: { type: 'basic', user_name: 'ann', password: '${secret}' },
      }),
    },
    { id: 'srv_2', document: httpServer.parse({ name: 'live', base_url: 'https://${host}' }) },
  ],
  variables: [
    { type: 'csv', name: 'users', path: 'data/users.csv', columns: ['login', 'word'] },
    { type: 'counter', name: 'number', start: 5, end: 90, digits: 3 },
    { type: 'random_number', name: 'dice', min: 1, max: 6 },
    { type: 'random_text', name: 'noise', length: 12 },
    { type: 'constant', name: 'host', value: 'live.example.com' },
    { type: 'secret', name: 'secret' },
  ].map((document, index) => ({ id: `var_${index}`, document: variable.parse(document) })),
  rules: [
    {
      id: 'rul_1',
      document: correlationRule.parse({
        name: 'csrf',
        source: { type: 'regex', pattern: 'csrf=(\\w+)' },
        variable: 'csrf',
      }),
    },
  ],
  files: [
    { path: 'data/users.csv', contentType: 'text/csv', bytes: Buffer.from('login,word\nann,fish\n') },
    { path: 'data/logo.png', contentType: 'image/png', bytes: Buffer.from('\u0089PNG') },
  ],
}
