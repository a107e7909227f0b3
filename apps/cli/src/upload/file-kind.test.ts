import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fileKind } from './file-kind.ts'

test.each([
  ['cpu.pb.gz', ''],
  ['checkout.cpuprofile', ''],
  ['heap.heapprofile', ''],
  ['stacks.folded', ''],
  ['trace.speedscope.json', ''],
  ['profile', gzipSync('pprof')],
  ['profile', Uint8Array.of(0x0a, 0x04, 0x08, 0x00)],
  ['out.json', '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"'],
  ['out.json', '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{'],
  ['out.txt', '# comment\nmain;parse;read 12\nmain;operator new 3\n'],
])('fileKind() takes %s for a profile', (name, head) => {
  expect(fileKind(name, bytes(head))).toBe('profile')
})

test.each([
  ['bench.json', '{"context":{"num_cpus":2},"benchmarks":[{"name":"BM_a"'],
  ['bench.json', '{"results":[{"command":"sleep 0.1","mean":0.1'],
  ['bench.txt', 'goos: linux\nBenchmarkRoute-8   1000000   1042 ns/op\nPASS\n'],
  ['bench.txt', 'what is this; no idea\nBenchmarkA-8 1 2 ns/op\nBenchmarkB-8 1 2 ns/op\n'],
  ['empty.txt', '\n'],
])('fileKind() takes %s for results', (name, head) => {
  expect(fileKind(name, bytes(head))).toBe('results')
})

function bytes(head: string | Uint8Array): Uint8Array {
  return typeof head === 'string' ? Buffer.from(head) : head
}
