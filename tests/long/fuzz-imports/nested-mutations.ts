import { anyPlace, ofDocument, put, valueAt } from '../fuzzing/json-mutations.ts'
import type { Mutation } from '../fuzzing/mutation.ts'
import type { Random } from '../fuzzing/random.ts'
import { scriptMutations } from './script-mutations.ts'

/** The texts of a document of JSON: a script, an address, a pattern, changed as a script is. */
const changeText = ofDocument((document, random, words) => {
  for (let tries = 0; tries < 20; tries += 1) {
    const place = anyPlace(document, random)
    if (place === undefined) return
    const value = valueAt(place)
    if (typeof value !== 'string' || value === '') continue
    const changed = random.pick(scriptMutations)(Buffer.from(value), random, {
      other: Buffer.from(value),
      words,
    })
    return put(place, Buffer.from(changed ?? []).toString('latin1'))
  }
})

const strangeTexts = [
  'http://',
  'http://[::1',
  'https://a b/',
  'https://${a}/${b',
  'https://user:pa%zz@shop.example.com:99999/',
  'ws://shop.example.com/',
  'data:text/plain,a',
  '//shop.example.com',
  'https://%00/',
  'https://\u00e4\u00f6.example/',
  'https://1.2.3.4.5/',
  `https://${'a'.repeat(70)}.example/`,
  `https://${'a.'.repeat(1200)}example/`,
  'GET ',
  '{{{{a}}}}',
  '${${a}}',
  '%',
  '%E0%A4%A',
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '2026-11-20T10:00:00+99:00',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary="a"',
  'application/x-www-form-urlencoded; charset=x',
  '../../etc/passwd',
  'C:\\a\\b',
  '\u0000',
  '\ud800',
  '\u202e',
  '$[?(@.a==1)]',
  '(a+)+$',
  '\u2028',
]

const strangeText = ofDocument((document, random) => {
  for (let tries = 0; tries < 20; tries += 1) {
    const place = anyPlace(document, random)
    if (place === undefined) return
    if (typeof valueAt(place) === 'string') return put(place, random.pick(strangeTexts))
  }
})

/** A list or object inside of itself, so many times: folders in folders. */
const deepCopies: Mutation = ofDocument((document, random: Random) => {
  const place = anyPlace(document, random)
  if (place === undefined || !Array.isArray(place.container)) return
  const value = valueAt(place)
  if (typeof value !== 'object' || value === null) return
  const list = Object.entries(value).find(([, inside]) => Array.isArray(inside))?.[0] ?? 'item'
  let copy: unknown = structuredClone(value)
  for (let depth = random.pick([3, 40, 55, 90, 190]); depth > 0; depth -= 1) {
    copy = { ...value, [list]: [copy] }
  }
  put(place, copy)
})

/** Changes of JSON that look into its texts. */
export const nestedMutations: readonly Mutation[] = [
  changeText,
  changeText,
  changeText,
  strangeText,
  strangeText,
  deepCopies,
]
