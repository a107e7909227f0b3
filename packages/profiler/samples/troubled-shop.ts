// A shop with three faults, instrumented: sessions that are never given back, a slow search, and a queue of mails that fills.
// It runs until its standard input ends, or for as many milliseconds as its argument says.
import { setTimeout as sleep } from 'node:timers/promises'
import { startProfiler } from '../src/index.ts'

const profiler = startProfiler({ name: 'troubled-shop', intervalMs: 250, allocations: { everyMs: 1000 } })

const sessions: unknown[][] = []
const rememberSession = profiler.measure('rememberSession', function rememberSession(user: number) {
  sessions.push(Array.from({ length: 1000 }, (_, index) => ({ user, index })))
  profiler.gauge('sessions').set(sessions.length)
})

const products = Array.from({ length: 10_000 }, (_, index) => `product ${index}`)
const searchProducts = profiler.measure('searchProducts', function searchProducts(wanted: string) {
  let found = 0
  // Sorts everything again for each search.
  for (const product of products.toSorted((a, b) => b.localeCompare(a))) if (product.includes(wanted)) found++
  return found
})

const renderPage = profiler.measure('renderPage', function renderPage(found: number) {
  return `<p>${found} products</p>`
})

const mails = profiler.queue<string>('mails', { capacity: 100 })
const orders = profiler.queue<number>('orders', { capacity: 100 })

const endAt = Number(process.argv[2] ?? Infinity)
let isOver = false
process.stdin.on('end', () => (isOver = true)).resume()

for (let turn = 0; !isOver && performance.now() < endAt; turn++) {
  rememberSession(turn)
  renderPage(searchProducts(String(turn)))
  orders.put(turn)
  orders.take()
  // The mailer sends one for every four that are written.
  if (turn % 2 === 0) mails.take()
  mails.put(`to ${turn}`)
  mails.put(`again to ${turn}`)
  await profiler.future('payment', sleep(5))
}
profiler.value('turns', 'over')
process.stdin.destroy()
