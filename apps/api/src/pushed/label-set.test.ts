import { expect, test } from 'vitest'
import { readLabelSet, tagsOf } from './label-set.ts'
import { readPushTime } from './push-time.ts'

test.each([
  ['app', 'app', {}],
  ['app.cpu{}', 'app.cpu', {}],
  ['app{region=eu, host = a }', 'app', { region: 'eu', host: 'a' }],
  ['app{tag="x"}', 'app', { tag: 'x' }],
  ['app{version=a=b,=,x}', 'app', { version: 'a=b' }],
  ['app{open=1', 'app', { open: '1' }],
])('%s is an application and its labels', (text, name, labels) => {
  const read = readLabelSet(text)
  expect([read.name, Object.fromEntries(read.labels)]).toEqual([name, labels])
})

test('an application without a name is refused', () => {
  expect(() => readLabelSet('{a=b}')).toThrow(/name/)
})

test('labels become tags, but for those that say how the profile is kept', () => {
  const labels = {
    __name__: 'process_cpu',
    service_name: 'a',
    region: 'eu',
    empty: '',
    long: 'x'.repeat(400),
  }
  const tags = tagsOf(new Map(Object.entries(labels)))
  expect(tags).toEqual(['region=eu', `long=${'x'.repeat(295)}`])
})

test.each([
  ['1795296000', '2026-11-21T21:20:00.000Z'],
  ['1795296000123', '2026-11-21T21:20:00.123Z'],
  ['1795296000123456', '2026-11-21T21:20:00.123Z'],
  ['1795296000123456789', '2026-11-21T21:20:00.123Z'],
  ['now-1h', undefined],
  ['0', undefined],
  [undefined, undefined],
])('the time %s is %s', (text, iso) => {
  expect(readPushTime(text)?.toISOString()).toBe(iso)
})
