// Programs that push, in a process of their own: `load.ts <url> <app> <token> <entries per second> <seconds> <sessions>`
import { gzipSync } from 'node:zlib'

const [url = '', app = '', token = '', rate = '', seconds = '', sessionCount = ''] = process.argv.slice(2)
const items = 100
const perItem = Math.round(Number(rate) / Number(sessionCount) / items)
const histogram = { slots: Array.from({ length: 40 }, (_, slot) => 300 + slot), counts: [] as number[] }

interface Told {
  entries: number
  pushes: number
  refused: number
  latenciesMs: number[]
}

const told = await Promise.all(Array.from({ length: Number(sessionCount) }, (_, place) => pushAll(place)))
console.log(
  JSON.stringify({
    entries: told.reduce((sum, each) => sum + each.entries, 0),
    pushes: told.reduce((sum, each) => sum + each.pushes, 0),
    refused: told.reduce((sum, each) => sum + each.refused, 0),
    latenciesMs: told.flatMap((each) => each.latenciesMs),
  }),
)

/** A push a second, beginning at another moment of it than those of the others; who is late sends at once. */
async function pushAll(place: number): Promise<Told> {
  const done: Told = { entries: 0, pushes: 0, refused: 0, latenciesMs: [] }
  const start = Date.now() + (place * 1000) / Number(sessionCount)
  for (let second = 0; second < Number(seconds); second++) {
    // oxlint-disable-next-line no-await-in-loop -- one push after the other
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, start + (second + 1) * 1000 - Date.now())))
    const body = gzipSync(JSON.stringify(pushOf(place, second, start + second * 1000)), { level: 1 })
    // oxlint-disable-next-line no-await-in-loop -- the same
    while (!(await send(body, done))) await new Promise((resolve) => setTimeout(resolve, 1000))
    done.entries += items * perItem
    done.pushes++
  }
  return done
}

/** False when it is to come again. */
async function send(body: Buffer, done: Told): Promise<boolean> {
  const startedAt = performance.now()
  const response = await fetch(`${url}/v1/live-apps/${app}/pushes`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body,
  })
  const text = await response.text()
  done.latenciesMs.push(performance.now() - startedAt)
  if (response.status === 429) done.refused++
  else if (response.status !== 200 || !text.includes('"stored"'))
    throw new Error(`${response.status}: ${text.slice(0, 1000)}`)
  return response.status === 200
}

function pushOf(place: number, second: number, from: number) {
  const calls = (second + 1) * perItem
  return {
    session: `bench-session-${place}`,
    sequence: second,
    at: from + 1000,
    program: { name: 'bench', source: 'profiler' },
    sections: {
      functions_timing: {
        status: 'on',
        items: Array.from({ length: items }, (_, item) => ({
          id: String(item),
          name: `shop::orders::function_${item}`,
          place: { file: 'src/orders.rs', line: item + 1 },
          distributions: {
            duration: {
              count: calls,
              total: calls * 2000,
              max: 90_000,
              histogram: { ...histogram, counts: histogram.slots.map(() => calls) },
            },
          },
        })),
      },
    },
    logs: Array.from({ length: items }, (_, item) => ({
      section: 'functions_timing',
      item: String(item),
      at: Array.from({ length: perItem }, (__, entry) => from + (entry * 1000) / perItem),
      value: Array.from({ length: perItem }, () => Math.floor(2000 * (1 + Math.random()))),
      thread: Array.from({ length: perItem }, (__, entry) => `worker-${entry % 4}`),
    })),
  }
}
