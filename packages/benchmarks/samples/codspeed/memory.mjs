// Writes the events of two benchmarks as CodSpeed's memory instrument does: msgpack maps in zstd frames, here of 20 each.
// Run it in this folder with Node.js 24 where @msgpack/msgpack is found.
import { writeFileSync } from 'node:fs'
import { zstdCompressSync } from 'node:zlib'
import { encode } from '@msgpack/msgpack'

const pid = 300
const events = []
let timestamp = 5_000_000_000
let nextAddress = 0x7f00_0000_1000
const add = (type, members) => events.push({ pid, tid: pid, timestamp: (timestamp += 1000), ...members, type })
const allocate = (type, size) => {
  const addr = (nextAddress += 0x1_0000)
  add(type, { addr, size })
  return addr
}

add('Brk', { addr: 0x5555_0000_0000, size: 135168 })
const firstStart = timestamp
// Ten blocks of 1 kB at the same time, then all are freed: peak 10,240 B in 10 allocations.
const blocks = Array.from({ length: 10 }, () => allocate('Malloc', 1024))
for (const addr of blocks) add('Free', { addr })
const firstEnd = timestamp
const firstNamed = (timestamp += 1000)

const secondStart = (timestamp += 1000)
// One block that grows from 100 B to 3,200 B by doubling, and is kept; and what was there before is freed.
add('Free', { addr: 0x7e00_0000_0000 })
let grown = allocate('Calloc', 100)
for (let size = 200; size <= 3200; size *= 2) {
  const addr = (nextAddress += 0x1_0000)
  add('Realloc', { addr, old_addr: grown, size })
  grown = addr
}
add('Mmap', { addr: 0x7d00_0000_0000, size: 1_048_576 })
const secondEnd = (timestamp += 1000)
const secondNamed = (timestamp += 1000)

const frames = []
for (let at = 0; at < events.length; at += 20) {
  frames.push(zstdCompressSync(Buffer.concat(events.slice(at, at + 20).map((event) => encode(event)))))
}
writeFileSync(`memory/results/${pid}.MemtrackArtifact.msgpack`, Buffer.concat(frames))
writeFileSync(
  'memory/results/ExecutionTimestamps.msgpack',
  encode({
    uri_by_ts: [
      [firstNamed, 'bench/words.rs::blocks'],
      [secondNamed, 'bench/words.rs::grow'],
    ],
    markers: [
      { SampleStart: firstStart },
      { SampleEnd: firstEnd },
      { SampleStart: secondStart },
      { SampleEnd: secondEnd },
    ],
  }),
)
