import { BottleneckDetector, instrumentMcpServer, OptimizationEngine } from '@flamegate/profiler'
import type { Setting } from '@flamegate/profiler'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server'
import { setTimeout as pause } from 'node:timers/promises'

// A server and its clients in one program, which tells what the library says of it: `faulty`, `healthy`, or `narrow`, whose pool is
// too small.
const [kind] = process.argv.slice(2)

const server = new McpServer({ name: 'diagnosed', version: '1.0.0' })
const { metrics } = instrumentMcpServer(server)
const answer = { content: [{ type: 'text' as const, text: 'done' }] }
const products = Array.from({ length: 20_000 }, (_, index) => `product ${index}`)

function sortEverything(): number {
  return products.toSorted((a, b) => (a < b ? 1 : -1)).length
}

const session = Array.from({ length: 500_000 }, (_, index) => index + 0.5)
const kept: number[][] = []
function rememberForEver(): number {
  return kept.push(session.slice())
}

/** Lets only so many through at a time. */
const pool = { size: 2, busy: 0, waiting: [] as (() => void)[] }
async function query(): Promise<void> {
  while (pool.busy >= pool.size) await new Promise<void>((resolve) => void pool.waiting.push(resolve))
  pool.busy++
  await pause(60)
  pool.busy--
  for (const resume of pool.waiting.splice(0, Math.max(0, pool.size - pool.busy))) resume()
}

server.registerTool('look_up', {}, () => answer)
server.registerTool('search', {}, () => {
  sortEverything()
  return answer
})
server.registerTool('log_in', {}, () => {
  rememberForEver()
  return answer
})
server.registerTool('order', {}, () => ({
  content: [{ type: 'text' as const, text: 'out of stock' }],
  isError: true,
}))
server.registerTool('query', {}, async () => {
  await query()
  return answer
})

const [near, far] = InMemoryTransport.createLinkedPair()
await server.connect(near)
const client = new Client({ name: 'clients', version: '1.0.0' })
await client.connect(far)

/** Calls it again and again. */
async function use(name: string, everyMs: number): Promise<never> {
  for (;;) {
    await client.callTool({ name })
    await pause(everyMs)
  }
}

function tell(value: unknown): never {
  process.stdout.write(JSON.stringify(value))
  process.exit()
}

// Seldom beside a pool that is too small: whether something waits is told by a processor that has little to do, on slow machines too.
void use('look_up', kind === 'narrow' ? 40 : 5)
if (kind === 'narrow') {
  for (let each = 0; each < 8; each++) void use('query', 0)
  const settings: Setting[] = [
    {
      name: 'pool',
      helps: ['io'],
      read: () => pool.size,
      write: (size) => (pool.size = size),
      max: 64,
    },
    // Says that it may be 10, and stays what it is.
    { name: 'stubborn', helps: ['io'], read: () => 4, write: () => {}, max: 10 },
    { name: 'full', helps: ['io'], read: () => 4, write: () => {}, max: 4 },
    { name: 'unrelated', helps: ['memory'], read: () => 1, write: () => {}, max: 9 },
  ]
  const engine = new OptimizationEngine({ settings })
  const analysis = await engine.analyze({ metrics }, { duration: 5000, samplingRate: 0.1 })
  const plan = engine.createOptimizationPlan(analysis)
  const results = engine.applySafeOptimizations(plan)
  const outcome = await engine.measureImprovements({ metrics }, results, { blockMs: 500, pairs: 6 })
  tell({ analysis, plan, results, outcome, poolSize: pool.size })
}
if (kind === 'faulty') {
  void use('search', 20)
  void use('log_in', 100)
  void use('order', 20)
}
const detector = new BottleneckDetector()
const data = await detector.collectData({ metrics }, { duration: 5000, samplingRate: 0.5 })
const bottlenecks = detector.detectBottlenecks(data)
tell({
  data,
  ...detector.diagnose(data),
  suggestions: detector.generateSuggestions(bottlenecks),
})
