import { describe, expect, test } from 'vitest'
import { variable } from '../model/variable.ts'
import { virtualUser } from '../model/virtual-user.ts'
import { filesOf, neededVariables, serversOf } from './references.ts'

const common = { type: 'http_request', method: 'POST', path: '/' }
const buyer = virtualUser.parse({
  name: 'Buyer',
  actions: [
    {
      ...common,
      id: 'a',
      server_id: 'srv_1',
      path: '/${order}',
      resources: { list: [{ id: 'r', server_id: 'srv_2', path: '/a.css' }] },
      body: {
        type: 'multipart',
        parts: [{ type: 'file', name: 'photo', path: 'photo.png' }],
      },
    },
    {
      type: 'once',
      id: 'b',
      actions: [
        { ...common, id: 'c', server_id: 'srv_3', body: { type: 'file', path: 'body.bin' } },
        { type: 'for_each', id: 'd', list: 'cities', variable: 'city', actions: [] },
        { type: 'script', id: 'e', source: 'vars.set("x", vars.get("seed"))' },
        {
          type: 'page',
          id: 'f',
          steps: [
            { type: 'goto', id: 'h', server_id: 'srv_4', path: '/' },
            { type: 'set_files', id: 'g', locator: { by: 'css', value: 'input' }, paths: ['cv.pdf'] },
          ],
        },
      ],
    },
  ],
})

const constant = (name: string, value = '') => variable.parse({ type: 'constant', name, value })

describe('what a virtual user needs', () => {
  test('servers, of requests and of what they load', () => {
    expect([...serversOf(buyer)]).toEqual(['srv_1', 'srv_2', 'srv_3', 'srv_4'])
  })

  test('variables, and those that these name in turn', () => {
    const csv = variable.parse({ type: 'csv', name: 'people', path: 'people.csv', columns: ['who'] })
    const variables = [
      constant('order', '${prefix}-1'),
      constant('prefix', '${who}'),
      constant('cities'),
      constant('seed'),
      constant('other', '${order}'),
      csv,
    ]
    expect(neededVariables([buyer], variables).map(({ name }) => name)).toEqual([
      'order',
      'prefix',
      'cities',
      'seed',
      'people',
    ])
    expect([...filesOf(buyer, [csv])].toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'body.bin',
      'cv.pdf',
      'people.csv',
      'photo.png',
    ])
  })
})
