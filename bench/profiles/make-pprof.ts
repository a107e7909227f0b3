// Writes a made pprof file: `make-pprof.ts <path> <samples> <seed>`. The same arguments give the same bytes.
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { Message } from './message.ts'

const [path = '', samples = '', seed = ''] = process.argv.slice(2)
const sampleCount = Number(samples)
const functionCount = 15_000
const locationCount = 60_000
const meanDepth = 34
const deepest = 90
const callees = 6
const threadCount = 64
const endpointCount = 100
const nanosPerSample = 10_000_000

/** Mulberry32, from 0 to below 1. */
let state = Number(seed) | 0
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
const below = (limit: number) => Math.floor(random() * limit)

const strings = new Map([['', 0]])
function string(text: string): number {
  const index = strings.get(text) ?? strings.size
  strings.set(text, index)
  return index
}

const words = (
  'accept account address batch block buffer cache cell chunk client cluster codec column commit config cursor ' +
  'decode delta digest encode entry event filter flush frame graph group handler header index invoice job journal key ' +
  'lease ledger limit list lock log map merge metric node object order packet page parse partition path payment plan ' +
  'pool price proxy query queue reader record region replica request response retry route row schema segment session ' +
  'shard signal span state store stream table task tenant token trace tree tuple value vector view worker writer'
).split(' ')
const word = () => words[below(words.length)]!
const capital = () => word().replace(/^./, (letter) => letter.toUpperCase())

/** Stacks as a tree of locations; a stack is a node with all above it. */
function makeStacks(count: number): { parents: Int32Array; locations: Int32Array } {
  const parents = new Int32Array(count)
  const locations = new Int32Array(count)
  const depths = new Int32Array(count)
  parents[0] = -1
  for (let node = 1; node < count; node++) {
    // Mostly on from where it just was, like a program; the rest of the time back at one of the outer frames.
    let parent = random() < 0.86 ? node - 1 - Math.min(below(40), below(40), node - 1) : below(node)
    while (depths[parent]! >= deepest || (depths[parent]! > 1.6 * meanDepth && random() < 0.9))
      parent = below(node)
    parents[node] = parent
    depths[node] = depths[parent]! + 1
    // A location calls few others, the first of them most.
    const callee = Math.min(below(callees), below(callees))
    locations[node] = (Math.imul(locations[parent]! + 1, 0x9e3779b1) + Math.imul(callee, 0x85ebca6b)) >>> 0
    locations[node] = (locations[node]! >>> 0) % locationCount
  }
  return { parents, locations }
}

const profile = new Message()
const message = new Message()
const part = new Message()
const sampleTypes = [
  ['samples', 'count'],
  ['cpu', 'nanoseconds'],
] as const
for (const [type, unit] of sampleTypes) {
  profile.bytesField(1, message.clear().numberField(1, string(type)).numberField(2, string(unit)).written)
}

const thread = string('thread')
const endpoint = string('endpoint')
const threads = Array.from({ length: threadCount }, (_, index) => string(`worker-${index}`))
const endpoints = Array.from({ length: endpointCount }, (_, index) =>
  string(`/v1/${word()}/${word()}-${index}`),
)
const { parents, locations } = makeStacks(Math.round(sampleCount * 0.3))
for (let sample = 0; sample < sampleCount; sample++) {
  message.clear()
  part.clear()
  for (let node = Math.floor(random() ** 0.8 * parents.length); node >= 0; node = parents[node]!) {
    part.number(locations[node]! + 1)
  }
  message.bytesField(1, part.written)
  const count = 1 + Math.floor(random() ** 6 * 40)
  message.bytesField(
    2,
    part
      .clear()
      .number(count)
      .number(count * nanosPerSample).written,
  )
  const labels = [
    [thread, threads[below(threadCount)]!],
    [endpoint, endpoints[Math.min(below(endpointCount), below(endpointCount))]!],
  ] as const
  for (const [key, text] of labels) {
    message.bytesField(3, part.clear().numberField(1, key).numberField(2, text).written)
  }
  profile.bytesField(2, message.written)
}

profile.bytesField(3, message.clear().numberField(1, 1).numberField(5, string('/usr/bin/server')).written)
for (let location = 0; location < locationCount; location++) {
  message
    .clear()
    .numberField(1, location + 1)
    .numberField(2, 1)
    .numberField(3, 0x400000 + 40 * location)
  const inlined = random() < 0.15 ? 1 + below(2) : 0
  for (let line = 0; line <= inlined; line++) {
    const lineNumber = 10 + below(2_000)
    part
      .clear()
      .numberField(1, 1 + Math.floor(random() ** 2 * functionCount))
      .numberField(2, lineNumber)
    message.bytesField(4, part.written)
  }
  profile.bytesField(4, message.written)
}
for (let index = 0; index < functionCount; index++) {
  const folder = `example.com/${word()}/${word()}${word()}/${word()}`
  const name = string(`${folder}.(*${capital()}${capital()}).${capital()}${capital()}${index}`)
  message
    .clear()
    .numberField(1, index + 1)
    .numberField(2, name)
    .numberField(3, name)
  message.numberField(4, string(`/src/${folder}/${word()}_${word()}.go`)).numberField(5, 1 + below(2_000))
  profile.bytesField(5, message.written)
}
for (const text of strings.keys()) profile.bytesField(6, Buffer.from(text))
profile.numberField(9, 1_790_000_000_000_000_000).numberField(10, 60_000_000_000)

writeFileSync(path, gzipSync(profile.written, { level: 6 }))
