import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fileKind } from './file-kind.ts'

test.each([
  ['cpu.pb.gz', ''],
  ['checkout.cpuprofile', ''],
  ['heap.heapprofile', ''],
  ['recording.jfr', ''],
  ['stacks.folded', ''],
  ['trace.speedscope.json', ''],
  ['profile', gzipSync(Uint8Array.of(0x0a, 0x04, 0x08, 0x01, 0x12, 0x02))],
  ['profile', Uint8Array.of(0x1f, 0x8b, 0x09, 0x08)],
  ['out.json.gz', gzipSync('{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"')],
  ['out.txt', Buffer.from('\uFEFFmain;parse;read 12\r\n', 'utf16le')],
  ['profile', Uint8Array.of(0x0a, 0x04, 0x08, 0x00)],
  ['out.json', '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"'],
  ['out.json', '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{'],
  ['trace.json', '{"traceEvents": [{"name":"RunTask"'],
  ['trace.json', '[{"pid":1,"tid":2,"ph":"X","name":"parse"'],
  ['firefox.json', '{"libs":[{"name":"libxul.so","breakpadId":"A5C2"'],
  ['recording.json', '{"version":1,"recording":{"displayName":"Timeline Recording 1"'],
  ['isolate.log', 'v8-version,13,6,233,17,-node.53,0\nshared-library,/usr/bin/node'],
  ['app.heapsnapshot', ''],
  ['heap.json', '{"snapshot":{"meta":{"node_fields":["type"'],
  ['profiles.json', '{"resourceProfiles":[{"resource":{}'],
  ['dhat.out.300', '{"dhatFileVersion":2\n,"mode":"heap","verb":"Allocated"'],
  ['heap.txt', 'heap profile: 168: 10527536 [1185067: 8287804104] @ heap/8192\n'],
  ['goroutines.txt', 'goroutine profile: total 138\n137 @ 0x4378b6\n'],
  ['goroutines.txt', 'goroutine 1 [running]:\nmain.main()\n'],
  ['mutex.txt', '--- mutex:\ncycles/second=2596171673\n'],
  ['perf.txt', 'nginx 812 [002] 203265.377019:    1001001 cpu-clock:u: \n\t   6f1 gamma (/usr/sbin/nginx)\n'],
  [
    'profile.txt',
    '  26 function calls in 0.1 seconds\n\n   ncalls  tottime  percall  cumtime  percall filename\n',
  ],
  ['trees.txt', '\tSat Nov 21 20:51 2026 Time and Allocation Profiling Report  (Final)\n'],
  ['trees.json', '{\n"program": "trees",\n"total_ticks": 250,\n"cost_centres": ['],
  [
    'app.json',
    '{"version":1.2,"mode":"cpu","interval":1000,"samples":489,"gc_samples":79,"missed_samples":0,"frames":{',
  ],
  [
    'graph.txt',
    '@ inst_retired.any [35705 samples]\n\n20.86%  [7447]     zfs_lz4_compress @ /boot/kernel/zfs.ko\n',
  ],
  ['copy.txt', 'Weight\tSelf Weight\tSymbol Names\n4.93 s  100.0%\t0 s\t   start\n'],
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
  ['bench.txt', Buffer.from('\uFEFFgoos: windows\r\nBenchmarkRoute-8 1 1042 ns/op\r\n', 'utf16le')],
  ['bench.txt', Buffer.from('\uFEFFBenchmarkRoute-8 1 1042 ns/op\r\n', 'utf16le').swap16()],
  ['bench.json.gz', gzipSync('{"results":[{"command":"sleep 0.1","mean":0.1')],
  ['bench.json.gz', beginningOfLongGzip()],
])('fileKind() takes %s for results', (name, head) => {
  expect(fileKind(name, bytes(head))).toBe('results')
})

function beginningOfLongGzip(): Uint8Array {
  const results = Array.from({ length: 20_000 }, (_, index) => ({
    command: `sleep ${index}`,
    mean: 1 / index,
  }))
  return gzipSync(JSON.stringify({ results })).subarray(0, 64 * 1024)
}

function bytes(head: string | Uint8Array): Uint8Array {
  return typeof head === 'string' ? Buffer.from(head) : head
}
