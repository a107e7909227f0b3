import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { run } from '../testing/run.ts'
import { startTestServer } from '../testing/test-server.ts'
import { digestAuthorization, readDigestChallenge } from './digest.ts'

const credentials = { userName: 'Mufasa', password: 'Circle of Life' }
const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'
const challengeOf = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`

test.each([
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
])('the example of RFC 7616 with %s comes out as it is there', (algorithm, response) => {
  const challenge = readDigestChallenge([`Basic realm="x", ${challengeOf(algorithm)}`])
  if (challenge === undefined) throw new Error('not read')
  const header = digestAuthorization(
    challenge,
    credentials,
    { method: 'GET', uri: '/dir/index.html' },
    1,
    cnonce,
  )
  expect(header).toContain(`response="${response}"`)
  expect(header).toContain('nc=00000001')
})

test('SHA-256 is chosen before MD5, and what cannot be answered is left', () => {
  expect(readDigestChallenge([challengeOf('MD5'), challengeOf('SHA-256')])?.algorithm).toBe('SHA-256')
  expect(readDigestChallenge(['Digest realm="a", nonce="n", qop="auth-int"', 'Bearer'])).toBeUndefined()
})

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const get = (path: string) => ({ type: 'http_request', method: 'GET', server_id: 'srv', path })

test('a challenge is answered once, and the nonce is used again until it is too old', async () => {
  let nonce = 'n1'
  const server = await startTestServer({
    '/in': (request, response) => {
      const sent = request.headers.authorization ?? ''
      const value = (name: string) => new RegExp(`\\b${name}="?([^",]+)`).exec(sent)?.[1] ?? ''
      const key = md5('ann:r:pw')
      const expected = md5(
        `${key}:${nonce}:${value('nc')}:${value('cnonce')}:auth:${md5(`GET:${request.url}`)}`,
      )
      if (value('response') === expected) response.end(value('nc'))
      else {
        const stale = sent === '' ? '' : ', stale=true'
        response
          .writeHead(401, { 'www-authenticate': `Digest realm="r", nonce="${nonce}", qop="auth"${stale}` })
          .end()
      }
    },
  })
  const authentication = { type: 'digest', user_name: 'ann', password: 'pw' }
  const { results } = await run([get('/in?a=1'), get('/in'), get('/in')], {
    servers: { srv: { base_url: server.url, authentication } },
    gate: {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    },
  })
  expect(results.map(({ exchanges }) => exchanges.map(({ role }) => role))).toEqual([
    ['main', 'challenge'],
    ['main'],
    ['main'],
  ])
  expect(results[2]?.exchanges[0]?.exchange.response?.body?.content).toBe('00000003')
  nonce = 'n2'
  const wrong = { type: 'digest', user_name: 'ann', password: 'no' }
  const refused = await run([get('/in')], {
    servers: { srv: { base_url: server.url, authentication: wrong } },
  })
  expect(refused.results[0]).toMatchObject({ status: 401, outcome: 'failed' })
  expect(refused.results[0]?.exchanges.length).toBeLessThan(4)
  await server.stop()
})
