import { expect, test } from 'vitest'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'
import { encodeOtlpJson } from './otlp-json.ts'
import { splitByService } from './otlp-services.ts'

test('each service gets a message that can be read alone', () => {
  const parts = splitByService(sample('otlp/two-services.otlp'))
  expect(parts.map(({ service }) => service)).toEqual(['checkout', 'payments'])
  expect(readProfile(parts[0]!.content)).toEqual(readProfile(sample('otlp/checkout.otlp')))
  expect(drawTree(readProfile(parts[1]!.content))).toEqual(['main 3/0', '  price 3/0', '    discount 3/3'])
})

test('a message of one service stays as it is', () => {
  const whole = sample('otlp/checkout.otlp')
  expect(splitByService(whole)).toEqual([{ service: 'checkout', content: whole }])
})

const manyServices = (count: number) =>
  encodeOtlpJson({
    resourceProfiles: Array.from({ length: count }, (_, index) => ({
      resource: { attributes: [{ keyStrindex: 1, value: { stringValue: `s${index}` } }] },
      scopeProfiles: [{ profiles: [{ samples: [{ values: [1] }] }] }],
    })),
    dictionary: { stringTable: ['', 'service.name'] },
  })

test('names may be in the dictionary, and beyond fifty services the rest share a message', () => {
  const parts = splitByService(manyServices(60))
  expect(parts).toHaveLength(51)
  expect(parts[0]!.service).toBe('s0')
  expect(readProfile(parts.find(({ service }) => service === '')!.content).sampleCount).toBe(10)
})

test('a large dictionary is not copied for every service', () => {
  const document = {
    resourceProfiles: Array.from({ length: 10 }, (_, index) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: `s${index}` } }] },
      scopeProfiles: [{ profiles: [{ samples: [{ values: [1] }] }] }],
    })),
    dictionary: { stringTable: ['', 'x'.repeat(12 * 1024 * 1024)] },
  }
  expect(splitByService(encodeOtlpJson(document)).map(({ service }) => service)).toEqual(['s0', 's1', ''])
})

test('what has no samples is nothing', () => {
  expect(
    splitByService(encodeOtlpJson({ resourceProfiles: [{ scopeProfiles: [{ profiles: [{}] }] }] })),
  ).toEqual([])
})
