// Serves requests in six phases and writes a heap profile after each: `node --expose-gc requests.mjs <folder>`. One function
// remembers what it served for ever, one takes a lot for one phase, one fills a cache that has an end.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'

const remembered = []
const cache = new Map()
let batch = []

function rememberRequest(number) {
  remembered.push({ number, headers: Array.from({ length: 100 }, (_, index) => number + index / 2) })
}

function parseBatch(size) {
  return Array.from({ length: size }, (_, number) => ({
    number,
    fields: [number / 2, number / 3, number / 5, number / 7],
  }))
}

function cacheAnswer(number) {
  cache.set(number % 2500, { number, words: Array.from({ length: 60 }, (_, index) => number + index / 2) })
}

const session = new Session()
session.connect()
await session.post('HeapProfiler.startSampling', { samplingInterval: 1024 })
for (let phase = 1, number = 0; phase <= 6; phase++) {
  for (let request = 0; request < 1000; request++, number++) {
    rememberRequest(number)
    cacheAnswer(number)
  }
  batch = phase === 3 ? parseBatch(40_000) : []
  globalThis.gc()
  const { profile } = await session.post('HeapProfiler.getSamplingProfile')
  writeFileSync(join(process.argv[2], `heap-${phase}.heapprofile`), JSON.stringify(profile))
}
console.log(remembered.length + cache.size + batch.length)
