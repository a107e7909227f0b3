import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { zipSync, strToU8 } from 'fflate'
import { expect, test } from 'vitest'
import { SourceError } from '../import/importer.ts'
import { collected } from '../testing/results.ts'
import { withoutSecrets } from './without-secrets.ts'

const jtl = (label: string, count = 1) =>
  `timeStamp,elapsed,label\n${`1764000000000,5,${label}\n`.repeat(count)}`

const names = async (content: Uint8Array) => (await collected(content)).samples.map(({ name }) => name)

test('what is packed is unpacked, and files of one test are read together', async () => {
  expect(await names(gzipSync(jtl('a', 2)))).toEqual(['a', 'a'])
  const zip = zipSync({
    'one.jtl': strToU8(jtl('one')),
    'folder/two.jtl.gz': gzipSync(jtl('two')),
    '__MACOSX/._one.jtl': strToU8('no'),
    '.DS_Store': strToU8('no'),
  })
  expect(await names(zip)).toEqual(['one', 'two'])
  expect(await names(gzipSync(zip)).catch(String)).toContain('These are no results')
})

test('UTF-16 is read by its byte order mark, packed or not, wherever pieces end', async () => {
  const little = Buffer.from(`\uFEFF${jtl('häuser', 3)}`, 'utf16le')
  const big = Buffer.from(little).swap16()
  const wanted = ['häuser', 'häuser', 'häuser']
  for (const content of [little, big, gzipSync(little), zipSync({ 'a.jtl': new Uint8Array(big) })])
    // oxlint-disable-next-line no-await-in-loop -- a few
    expect((await collected(content, 7)).samples.map(({ name }) => name)).toEqual(wanted)
})

test('of an archive what is no result is named, and all of it refused where there is none', async () => {
  const mixed = zipSync({ 'jmeter.log': strToU8('INFO starting'), 'a.jtl': strToU8(jtl('a')) })
  const { samples, notes } = await collected(mixed)
  expect(samples).toHaveLength(1)
  expect(notes).toEqual([expect.stringMatching(/^jmeter\.log was not read: These are no results/)])
  await expect(collected(zipSync({ 'jmeter.log': strToU8('INFO starting') }))).rejects.toThrow('no results')
  await expect(collected(zipSync({ '.DS_Store': strToU8('no') }))).rejects.toThrow('empty')
  const both = zipSync({
    'a.jtl': strToU8(jtl('a')),
    'b.csv': strToU8('metric_name,timestamp,metric_value,check\nvus,1764000000,1,\n'),
  })
  await expect(collected(both)).rejects.toThrow('results of jtl and of k6')
})

test('what was damaged is refused', async () => {
  const gz = gzipSync(jtl('a', 1000))
  await expect(collected(gz.subarray(0, -20))).rejects.toThrow('cannot be unpacked')
  const broken = Buffer.from(gz)
  broken[30] = (broken[30] ?? 0) ^ 255
  await expect(collected(broken)).rejects.toThrow('cannot be unpacked')
  const zip = Buffer.from(zipSync({ 'a.jtl': [strToU8(jtl('a')), { level: 0 }] }))
  zip[zip.indexOf('1764') + 2] = 57
  await expect(collected(zip)).rejects.toThrow('checksum is wrong')
})

test.each([
  ['', 'It is empty'],
  ['hello\nworld\n', 'These are no results'],
  ['<jmeterTestPlan version="1.2"><hashTree/></jmeterTestPlan>', 'no JTL'],
  ['{"hello": "world"}', 'These are no results'],
  ['Label,# Samples,Average,Median\nhome,10,5,5\n', "table of JMeter's aggregate or summary report"],
  ['Method,Name,Error,Occurrences\nGET,/,boom,3\n', "Locust's failures or exceptions"],
  ['Count,Message,Traceback,Nodes\n1,boom,tb,local\n', "Locust's failures or exceptions"],
  ['\0\0\0\0\u00063.13.1\0\0', 'Gatling 3.13.1 cannot be read on'],
])('%j is refused', async (text, words) => {
  await expect(collected(text)).rejects.toThrow(words)
})

test('any bytes end in results, or in words', async () => {
  const start = fc.constantFrom(
    '',
    jtl('a'),
    '<testResults><httpSample t="1" ts="1764000000000" lb="a">',
    '{"type":"Point","metric":"vus","data":{}}\n',
    'metric_name,timestamp,metric_value,\n',
    'RUN\ta\tb\n',
    'Timestamp,User Count,Type,Name,\n1764000000,1,,Aggregated\n',
    '{"log":{"entries":[',
    '\x1f\x8b',
    'PK\x03\x04',
  )
  await fc.assert(
    fc.asyncProperty(
      start,
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.string({ maxLength: 300 }).map((text) => Buffer.from(text)),
      ),
      fc.integer({ min: 1, max: 100 }),
      async (first, rest, size) => {
        const bytes = Buffer.concat([Buffer.from(first, 'latin1'), rest])
        const outcome = await collected(bytes, size).catch((error: unknown) => error)
        expect(outcome).toSatisfy((each) => each instanceof SourceError || !(each instanceof Error))
      },
    ),
    { numRuns: 1000 },
  )
})

test('secrets in what others wrote are left out', () => {
  const texts = [
    'https://ann:s3cret@shop.example.com/login?password=s3cret&next=/cart',
    '{"access_token": "s3cret", "id": 1}',
    'Authorization: Bearer s3cret/s3cret==',
    'X-Api-Key=s3cret; path=/',
  ]
  for (const text of texts) expect(withoutSecrets(text)).not.toContain('s3cret')
  expect(withoutSecrets(texts[0] ?? '')).toBe('https://shop.example.com/login?password=•••&next=/cart')
  expect(withoutSecrets('Expected: 200, found = 404')).toBe('Expected: 200, found = 404')
})
