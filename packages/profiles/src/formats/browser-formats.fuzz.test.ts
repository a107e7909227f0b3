import * as fc from 'fast-check'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { FormatError } from '../format-error.ts'
import type { ProfileFormat } from '../profile.ts'
import { readProfile } from '../read-profile.ts'
import { sample } from '../testing/samples.ts'

const strange = fc.constantFrom<unknown>(
  null,
  -1,
  0,
  0.5,
  7,
  1e308,
  -1e15,
  2 ** 31,
  '',
  'x',
  '12',
  true,
  [],
  [[]],
  {},
  { a: 1 },
)

/** Values of a document are replaced by strange ones; a choice of where is a path of numbers, which are taken modulo. */
const replacements = fc.array(fc.tuple(fc.array(fc.nat(), { minLength: 1, maxLength: 9 }), strange), {
  maxLength: 6,
})

function replaceIn(document: unknown, path: readonly number[], value: unknown): void {
  let at: unknown = document
  for (const [step, choice] of path.entries()) {
    if (typeof at !== 'object' || at === null) return
    const keys = Object.keys(at)
    const key = keys[choice % keys.length]
    if (key === undefined) return
    const next: unknown = Reflect.get(at, key)
    if (step === path.length - 1 || typeof next !== 'object' || next === null)
      Reflect.set(at, key, structuredClone(value))
    at = next
  }
}

/** What went wrong when reading, if anything: there must be a profile of finite values or a FormatError. */
function problemOf(document: unknown, format: ProfileFormat): string | undefined {
  try {
    const { selfValues } = readProfile(new TextEncoder().encode(JSON.stringify(document)), { format })
    return selfValues.every((values) => values.every((value) => Number.isFinite(value)))
      ? undefined
      : 'not finite'
  } catch (error) {
    return error instanceof FormatError ? undefined : String(error)
  }
}

test.each([
  'trace_event/chrome-devtools.json.gz',
  'trace_event/node-hermes.json.gz',
  'firefox/firefox-gecko.json.gz',
  'safari/node-recording.json.gz',
  'v8_log/node-preprocessed.json.gz',
])('%s with other values in places is read or refused', (path) => {
  const text = gunzipSync(sample(path)).toString()
  const { format } = readProfile(sample(path))
  fc.assert(
    fc.property(replacements, (changes) => {
      const document: unknown = JSON.parse(text)
      for (const [place, value] of changes) replaceIn(document, place, value)
      expect(problemOf(document, format)).toBeUndefined()
    }),
    { numRuns: 60 },
  )
})
