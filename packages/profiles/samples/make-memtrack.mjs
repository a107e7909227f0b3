// Writes memtrack/two-threads.MemtrackArtifact.msgpack as CodSpeed's memory instrument does, which needs eBPF and so does not
// run everywhere: msgpack maps in zstd frames that follow each other. The numbers that it prints are in memtrack.test.ts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { zstdCompressSync } from 'node:zlib'

const pid = 300
const events = []
let timestamp = 5_000_000_000
let nextAddress = 0x7f00_0000_1000
const live = new Map()
const heap = { bytes: 0, peak: 0, allocated: 0, allocations: 0 }

function add(type, tid, members) {
  events.push({ pid, tid, timestamp: (timestamp += 1_000_000), ...members, type })
}

function release(addr) {
  heap.bytes -= live.get(addr) ?? 0
  live.delete(addr)
}

function allocate(type, tid, size, members = {}) {
  const addr = (nextAddress += 0x1_0000)
  add(type, tid, { addr, size, ...members })
  if (members.old_addr !== undefined) release(members.old_addr)
  live.set(addr, size)
  heap.bytes += size
  heap.allocated += size
  heap.allocations += 1
  heap.peak = Math.max(heap.peak, heap.bytes)
  return addr
}

function free(addr, tid) {
  add('Free', tid, { addr })
  release(addr)
}

add('Brk', 300, { addr: 0x5555_0000_0000, size: 135_168 })
// Forty blocks of 1 kB at the same time, freed by another thread.
const blocks = Array.from({ length: 40 }, () => allocate('Malloc', 300, 1024))
for (const addr of blocks) free(addr, 301)
// A block that grows by doubling, and is kept.
let grown = allocate('Calloc', 301, 100)
for (let size = 200; size <= 25_600; size *= 2) grown = allocate('Realloc', 301, size, { old_addr: grown })
// Small ones, of which every third stays.
for (let index = 0; index < 60; index++) {
  const addr = allocate(index % 2 === 0 ? 'Malloc' : 'AlignedAlloc', 301, 16 + index)
  if (index % 3 !== 0) free(addr, 301)
}
// From before the first event, so that nobody knows how large it was.
free(0x7e00_0000_0000, 300)
add('Mmap', 300, { addr: 0x7d00_0000_0000, size: 1_048_576 })

function encode(event) {
  const text = (value) => Buffer.concat([Buffer.from([0xa0 | value.length]), Buffer.from(value)])
  const number = (value) => {
    const bytes = Buffer.alloc(9)
    bytes[0] = 0xcf
    bytes.writeBigUInt64BE(BigInt(value), 1)
    return value < 128 ? Buffer.from([value]) : bytes
  }
  const members = Object.entries(event)
  const encoded = members.flatMap(([key, value]) => [
    text(key),
    typeof value === 'string' ? text(value) : number(value),
  ])
  return Buffer.concat([Buffer.from([0x80 | members.length]), ...encoded])
}

const frames = []
for (let at = 0; at < events.length; at += 50)
  frames.push(zstdCompressSync(Buffer.concat(events.slice(at, at + 50).map(encode))))
const folder = `${import.meta.dirname}/memtrack`
mkdirSync(folder, { recursive: true })
writeFileSync(`${folder}/two-threads.MemtrackArtifact.msgpack`, Buffer.concat(frames))
console.log({ events: events.length, ...heap })
