// Makes cpuprofile/bundled.tar.gz with the Node that runs this: a shop in TypeScript, put together by rolldown (Vite's bundler) as
// dist/min.js, minified, and as dist/plain.js, and the CPU profile of a process that ran both, with their source maps. Needs tar.
// The program lives in a neutral folder, because its paths end up in the profile.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const samples = import.meta.dirname
const vite = createRequire(`${samples}/../../../apps/web/package.json`).resolve('vite')
const { build } = await import(createRequire(vite).resolve('rolldown'))
const work = '/tmp/demo-app/shop'
rmSync(work, { recursive: true, force: true })
const library = 'node_modules/.pnpm/tiny-sort@1.2.3/node_modules/tiny-sort'
mkdirSync(`${work}/${library}`, { recursive: true })
mkdirSync(`${work}/src`, { recursive: true })
const write = (path, text) => writeFileSync(`${work}/${path}`, text)
write(
  `${library}/index.js`,
  `export function tinySort(list) {
  if (list.length < 2) return list
  const [first, ...rest] = list
  return [...tinySort(rest.filter((item) => item < first)), first, ...tinySort(rest.filter((item) => item >= first))]
}
`,
)
write(
  'src/pricing.ts',
  `export interface Order {
  id: number
  amounts: number[]
}

export class PriceList {
  private readonly discounts = new Map<number, number>()

  priceOf(order: Order): number {
    let price = 0
    for (const amount of order.amounts) price += this.discounted(amount)
    return price
  }

  private discounted = (amount: number): number => {
    const known = this.discounts.get(amount)
    if (known !== undefined) return known
    const discounted = computeDiscount(amount)
    if (this.discounts.size < 50) this.discounts.set(amount, discounted)
    return discounted
  }
}

export const computeDiscount = (amount: number): number => {
  let rest = amount
  for (let step = 0; step < 400; step++) {
    rest = Math.sqrt(
      rest * rest +
        step,
    )
  }
  return rest
}
`,
)
write(
  'src/server.ts',
  `import { tinySort } from '../${library}/index.js'
import { PriceList, type Order } from './pricing.ts'

const prices = new PriceList()

export function handleRequest(body: string): string {
  const order = JSON.parse(body) as Order
  const amounts = tinySort(order.amounts)
  return JSON.stringify({ id: order.id, price: prices.priceOf({ id: order.id, amounts }) })
}

export function serve(rounds: number): number {
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    const amounts = Array.from({ length: 20 }, (_, index) => (index * 7919 + round) % 1009)
    bytes += handleRequest(JSON.stringify({ id: round, amounts })).length
  }
  return bytes
}
`,
)
write('run.mjs', `import * as min from './dist/min.js'\nimport * as plain from './dist/plain.js'\nmin.serve(2500)\nplain.serve(2500)\n`)
for (const [name, minify] of [['min', true], ['plain', false]]) {
  await build({
    cwd: work,
    input: 'src/server.ts',
    platform: 'node',
    output: { file: `dist/${name}.js`, sourcemap: true, minify },
    logLevel: 'warn',
  })
}
execFileSync(
  process.execPath,
  ['--cpu-prof', '--cpu-prof-interval=500', '--cpu-prof-name=bundled.cpuprofile', 'run.mjs'],
  { cwd: work, stdio: 'inherit' },
)
const facts = '--sort=name --owner=0 --group=0 --numeric-owner --mtime=2026-01-01 --format=ustar'.split(' ')
const files = ['bundled.cpuprofile', 'dist/min.js.map', 'dist/plain.js.map']
execFileSync('tar', [...facts, '-czf', `${samples}/cpuprofile/bundled.tar.gz`, ...files], { cwd: work })

// What Node's own reader of source maps says of where functions start, for the test to hold ours against.
const { SourceMap } = await import('node:module')
const maps = new Map(
  ['min', 'plain'].map((name) => [
    `file://${work}/dist/${name}.js`,
    new SourceMap(JSON.parse(readFileSync(`${work}/dist/${name}.js.map`, 'utf8'))),
  ]),
)
const { nodes } = JSON.parse(readFileSync(`${work}/bundled.cpuprofile`, 'utf8'))
for (const { callFrame } of nodes) {
  const { functionName, url, lineNumber, columnNumber } = callFrame
  const entry = maps.get(url)?.findEntry(lineNumber, columnNumber)
  if (entry !== undefined) console.log(functionName, url.slice(-8), lineNumber, columnNumber, entry.originalSource, entry.originalLine + 1, entry.name)
}
