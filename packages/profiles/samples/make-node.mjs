// Makes cpuprofile/node.cpuprofile, heapprofile/node.heapprofile and speedscope/*.json with the Node that runs this.
// The program lives in a neutral folder, because its paths end up in the profiles.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const samples = import.meta.dirname
const work = '/tmp/demo-app/node'
const library = `${work}/node_modules/.pnpm/tiny-sort@1.2.3/node_modules/tiny-sort`
rmSync(work, { recursive: true, force: true })
mkdirSync(library, { recursive: true })
writeFileSync(
  `${library}/index.mjs`,
  `export function tinySort(list) {
  if (list.length < 2) return list
  const [first, ...rest] = list
  const isSmaller = (item) => item < first
  return [...tinySort(rest.filter(isSmaller)), first, ...tinySort(rest.filter((item) => !isSmaller(item)))]
}
`,
)
writeFileSync(
  `${work}/app.mjs`,
  `import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { tinySort } from ${JSON.stringify(`${library}/index.mjs`)}

const kept = []
function parseOrders(text) {
  return JSON.parse(text).map((order) => ({ ...order, total: order.prices.reduce((sum, price) => sum + price, 0) }))
}
function keep(size) {
  kept.push(new Array(size).fill(0).map((_, index) => ({ index, name: 'kept ' + index })))
}
function serve() {
  const orders = Array.from({ length: 300 }, (_, id) => ({ id, prices: tinySort([id % 7, 3, id % 5, 1, 9, id % 11]) }))
  const parsed = parseOrders(JSON.stringify(orders))
  return createHash('sha256').update(JSON.stringify(parsed).repeat(20)).digest('hex')
}
for (let round = 0; round < 60; round++) {
  for (let request = 0; request < 3; request++) serve()
  if (round % 10 === 0) {
    keep(2000)
    await sleep(15)
  }
}
`,
)
const run = (...flags) => execFileSync(process.execPath, [...flags, 'app.mjs'], { cwd: work, stdio: 'inherit' })
run('--cpu-prof', '--cpu-prof-name=node.cpuprofile')
run('--heap-prof', '--heap-prof-interval=16384', '--heap-prof-name=node.heapprofile')
copyFileSync(`${work}/node.cpuprofile`, `${samples}/cpuprofile/node.cpuprofile`)
copyFileSync(`${work}/node.heapprofile`, `${samples}/heapprofile/node.heapprofile`)

// The same CPU samples as speedscope files (https://www.speedscope.app/file-format-schema.json): as stacks with
// weights, and as a trace that opens and closes what changes from one sample to the next.
const { nodes, samples: ids, timeDeltas, endTime, startTime } = JSON.parse(readFileSync(`${work}/node.cpuprofile`, 'utf8'))
const byId = new Map(nodes.map((node) => [node.id, node]))
const parentOf = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])))
const frames = []
const frameIndexes = new Map()
function frameIndex({ functionName, url, lineNumber }) {
  const key = JSON.stringify([functionName, url, lineNumber])
  if (!frameIndexes.has(key)) {
    frameIndexes.set(key, frames.length)
    frames.push({ name: functionName || '(anonymous)', file: url, line: lineNumber + 1 })
  }
  return frameIndexes.get(key)
}
function stackOf(id) {
  const stack = []
  for (let at = id; parentOf.has(at); at = parentOf.get(at)) stack.unshift(frameIndex(byId.get(at).callFrame))
  return stack
}
const times = []
let clock = startTime
for (const delta of timeDeltas) times.push(Math.max(times.at(-1) ?? 0, (clock += delta)))
times.push(Math.max(endTime, times.at(-1)))
const stacks = ids.map(stackOf)
const weights = ids.map((_, index) => times[index + 1] - times[index])
const events = []
let open = []
for (const [index, stack] of [...stacks, []].entries()) {
  let common = 0
  while (common < open.length && open[common] === stack[common]) common++
  for (const frame of open.slice(common).reverse()) events.push({ type: 'C', frame, at: times[index] })
  for (const frame of stack.slice(common)) events.push({ type: 'O', frame, at: times[index] })
  open = stack
}
const bounds = { unit: 'microseconds', startValue: times[0], endValue: times.at(-1) }
const save = (name, profiles) =>
  writeFileSync(
    `${samples}/speedscope/${name}`,
    JSON.stringify({
      $schema: 'https://www.speedscope.app/file-format-schema.json',
      shared: { frames },
      profiles,
      exporter: 'samples/make-node.mjs',
    }),
  )
save('node-sampled.speedscope.json', [{ type: 'sampled', name: 'main', ...bounds, samples: stacks, weights }])
save('node-evented.speedscope.json', [{ type: 'evented', name: 'main', ...bounds, events }])
