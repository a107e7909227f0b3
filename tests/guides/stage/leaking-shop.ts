// A shop that forgets no session, sorts everything for each search, and writes more mails than it sends. It is measured by the
// library, leaks little at a time, so that it can be looked at for a while, and runs until its standard input ends.
import { setTimeout as sleep } from 'node:timers/promises'
import { startProfiler } from '../../../packages/profiler/src/index.ts'

const profiler = startProfiler({ name: 'leaking-shop', intervalMs: 250, allocations: { everyMs: 1000 } })

/** What is kept of a visitor; numbers only, so that it is this class that grows most and not what it holds. */
class VisitorSession {
  readonly user: number
  pages = 0
  searches = 0
  baskets = 0
  orders = 0
  returns = 0
  constructor(user: number) {
    this.user = user
  }
}

/** Of each turn. Not a map of all of them: its table doubles now and then, and would then be what grows most. */
const sessions: VisitorSession[][] = []
const visitorsPerTurn = 60
const rememberSessions = profiler.measure('rememberSessions', function rememberSessions() {
  sessions.push(Array.from({ length: visitorsPerTurn }, (_, user) => new VisitorSession(user)))
  profiler.gauge('sessions').set(sessions.length * visitorsPerTurn)
})

const products = Array.from({ length: 2000 }, (_, index) => `product ${index}`)
const searchProducts = profiler.measure('searchProducts', function searchProducts(wanted: string) {
  return products.toSorted((a, b) => b.localeCompare(a)).filter((product) => product.includes(wanted)).length
})

const mails = profiler.queue<string>('mails', { capacity: 50 })
const end = new AbortController()
process.stdin.on('end', () => end.abort()).resume()

for (let turn = 0; !end.signal.aborted; turn++) {
  rememberSessions()
  searchProducts(String(turn))
  if (turn % 2 === 0) mails.take()
  mails.put(`to ${turn}`)
  await profiler.future('payment', sleep(20))
}
process.stdin.destroy()
