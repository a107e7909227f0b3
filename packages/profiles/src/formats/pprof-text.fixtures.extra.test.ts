import { expect, test } from 'vitest'
import { ProfileFile } from '../profile-file.ts'
import { topFunctions } from '../questions/top-functions.ts'
import { readProfile } from '../read-profile.ts'
import { fixture, fixturePaths } from '../testing/fixtures.ts'
import { readerOf } from './pprof-text.ts'
import { findMappings } from './pprof-text-mappings.ts'

const legacyPaths = fixturePaths('pprof-legacy').filter((path) => !path.endsWith('.string'))
const goPaths = fixturePaths('pprof-generated')

/** Samples as lines: values, labels, then per location its name and line, or its address and the file it is in. */
function drawSamples(path: string): string[] {
  const profile = readerOf(new ProfileFile(fixture(path)))!()
  const mappings = findMappings(profile.memoryMap.mappings, profile.addresses)
  return profile.samples.map(({ stack, values, labels = [] }) => {
    const frames = stack.map((location) => {
      const frame = profile.names[location]
      return frame === undefined
        ? `0x${profile.addresses[location]!.toString(16)} ${mappings[location]?.file ?? ''}`
        : `${frame.name} ${frame.file}:${frame.line}`
    })
    return [values.join(' '), ...labels.map(([name, value]) => `${name}:[${value}]`), ...frames].join('; ')
  })
}

/**
 * The same of what google/pprof prints of a profile (`Profile.String()`), which its own tests compare with the files
 * `*.string`:
 *
 *     contentions/count delay/nanoseconds
 *            2700  608881724: 1 2 3
 *                   bytes:[9216]
 *     Locations
 *          1: 0xbccc96 M=1
 *          2: 0x0 com.example.function003 Source003.java:103:0 s=0
 *     Mappings
 *     1: 0x400000/0xfcb000/0x0 cppbench_server_main
 */
function drawExpected(path: string): string[] {
  const text = new TextDecoder().decode(fixture(path))
  const [, samples = '', locations = '', mappings = ''] =
    /Samples:\n.*\n([\s\S]*)Locations\n([\s\S]*)Mappings\n([\s\S]*)/.exec(text) ?? []
  const files = new Map([...mappings.matchAll(/^(\d+): \S+ (\S*)/gm)].map(([, id, file]) => [id, file]))
  const frames = new Map(
    [...locations.matchAll(/^ *(\d+): (0x[0-9a-f]+)(?: M=(\d+))?(?: (\S+) (\S*?):(\d+):\d+ s=\d+)?/gm)].map(
      ([, id, address, mapping, name, file, line]) => [
        id,
        name === undefined ? `${address} ${files.get(mapping) ?? ''}` : `${name} ${file}:${line}`,
      ],
    ),
  )
  return [...samples.matchAll(/^ *([-\d][-\d ]*): ([\d ]*)\n(?: +(bytes:\[\d+\]) *\n)?/gm)].map(
    ([, values = '', ids = '', label]) =>
      [
        values.trim().split(/ +/).join(' '),
        ...(label === undefined ? [] : [label]),
        ...ids
          .trim()
          .split(' ')
          .filter((id) => id !== '')
          .map((id) => frames.get(id)),
      ].join('; '),
  )
}

test.runIf(legacyPaths.length > 0).each(legacyPaths)('%s has the samples of google/pprof', (path) => {
  const expected = drawExpected(`${path}.string`)
  expect(expected.length).toBeGreaterThan(3)
  expect(drawSamples(path)).toEqual(expected)
  const profile = readProfile(fixture(path))
  expect(profile.format).toBe('pprof_text')
  expect(profile.sampleTypes.length).toBe(profile.selfValues.length)
})

/** 40 buffers of 64 KiB in each of four steps, as `go tool pprof -top` says of the same moment in `go-heap-t3.pb.gz`, too. */
test.runIf(goPaths.length > 0)('the text of a heap of Go has its leak, to the byte', () => {
  const [text, proto] = ['go-heap-debug1.txt.gz', 'go-heap-t3.pb.gz'].map((name) => {
    const profile = readProfile(fixture(`pprof-generated/${name}`))
    return topFunctions(profile, { by: 'self', limit: 2 })
  })
  expect(text!.map((row) => `${row.functionName} ${row.selfValue}`)).toEqual([
    'main.leakBuffers 10485761',
    'main.transientAllocs 32778',
  ])
  expect(text).toEqual(
    proto!.map((row) => ({ ...row, selfPercent: expect.any(Number), totalPercent: expect.any(Number) })),
  )
})

/** 138 in all, 137 of them in main.stuckWorker, as `go tool pprof -top` says of `go-goroutine.pb.gz`. */
test.runIf(goPaths.length > 0)('a dump of goroutines has those that are stuck', () => {
  const profile = readProfile(fixture('pprof-generated/go-goroutine-debug2.txt'))
  expect(profile).toMatchObject({ format: 'goroutine_dump', sampleCount: 138, warnings: [] })
  const [stuck] = topFunctions(profile, { by: 'self', limit: 1 })
  expect(stuck).toMatchObject({ functionName: 'main.stuckWorker', selfValue: 137, line: 142 })
  const label = (name: string) => profile.labels.find((row) => row.name === name)!.values
  expect(label('state')[0]).toEqual({ value: 'chan receive', sampleCount: 137, weight: 137 })
  expect(label('created_by')[0]).toEqual({ value: 'main.main', sampleCount: 137, weight: 137 })
})
