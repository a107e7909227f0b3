// undici's Client for each connection, with its fastest call: `undici.ts <url> <connections> <warm-up requests> <seconds>`.
import { Client } from 'undici'
import { cpuSecondsSince, tellFigures } from './figures.ts'

const [url = '', connections = '', warmUp = '', seconds = ''] = process.argv.slice(2)
let answered = 0
let failed = 0
let isOver = false
let before: { cpu: NodeJS.CpuUsage; answered: number } | undefined

class Loop {
  readonly #client = new Client(new URL(url).origin, { pipelining: 1 })

  go(): void {
    this.#client.dispatch({ path: new URL(url).pathname, method: 'GET' }, this)
  }
  onRequestStart(): void {}
  onResponseStart(_controller: unknown, status: number): void {
    if (status !== 200) failed++
  }
  onResponseData(): void {}
  onResponseEnd(): void {
    if (++answered === Number(warmUp)) {
      before = { cpu: process.cpuUsage(), answered }
      setTimeout(end, Number(seconds) * 1000)
    }
    if (!isOver) this.go()
  }
  onResponseError(_controller: unknown, error: Error): void {
    throw error
  }
}

for (let count = Number(connections); count > 0; count--) new Loop().go()

function end(): void {
  if (before === undefined) return
  const requests = answered - before.answered
  const cpuSeconds = cpuSecondsSince(before.cpu)
  isOver = true
  // What is under way is answered, so that both sides count the same.
  setTimeout(() => {
    tellFigures({ requests, cpuSeconds, answered, failed, p50Ms: null, p99Ms: null })
    process.exit(0)
  }, 500)
}
