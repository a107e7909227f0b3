import * as fc from 'fast-check'
import { CookieJar } from 'tough-cookie'
import { expect, test } from 'vitest'
import { Cookies } from './cookies.ts'

const urls = [
  'http://a.test/',
  'http://a.test/x/y',
  'http://a.test/x?y=/z',
  'https://a.test/x',
  'http://b.a.test:81/x',
  'http://a.test:81/x',
]
const lines = fc
  .record({
    name: fc.constantFrom('a', 'b', 'sid', '__Host-c', ''),
    value: fc.constantFrom('', '1', 'x=y', '"q"', 'a b'),
    attributes: fc.array(
      fc.constantFrom(
        'Path=/',
        'path=/x',
        'HttpOnly',
        'Secure',
        'SameSite=Lax',
        'SameSite=None',
        'Domain=a.test',
        'Max-Age=0',
        'Max-Age=60',
        'odd',
      ),
      { maxLength: 3 },
    ),
    separator: fc.constantFrom('; ', ';'),
  })
  .map(({ name, value, attributes, separator }) => [`${name}=${value}`, ...attributes].join(separator))
const acts = fc.array(
  fc.record({
    kind: fc.constantFrom('take', 'look'),
    line: lines,
    url: fc.constantFrom(...urls),
  }),
  { maxLength: 12 },
)

test('sessions are kept as the jar keeps them', () => {
  fc.assert(
    fc.property(acts, (sequence) => {
      const cookies = new Cookies()
      const jar = new CookieJar()
      for (const { kind, line, url } of sequence) {
        if (kind === 'take') {
          cookies.take(line, url)
          jar.setCookieSync(line, url, { ignoreError: true })
        }
        expect(cookies.header(url)).toBe(jar.getCookieStringSync(url))
        const known = jar.getCookiesSync(url).find((cookie) => cookie.key === 'a')?.value
        expect(cookies.value('a', url)).toBe(known)
      }
      for (const url of urls) expect(cookies.header(url)).toBe(jar.getCookieStringSync(url))
    }),
    { numRuns: 2000 },
  )
})
