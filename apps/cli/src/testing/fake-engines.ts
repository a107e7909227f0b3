import { findEngines, type InstalledEngine } from '../load-agent/other-engines/installed-engines.ts'
import { stubPrograms } from './stub-programs.ts'

const node = JSON.stringify(process.execPath)

/**
 * Shell scripts that stand in for engines that are not installed: each runs what a test gives as its script as a program of Node.js,
 * which writes what the engine is documented to write. `k6` gets the script as its last argument, `jmeter` after -t.
 */
export const standIns = {
  k6: `if [ "$1" = version ]; then echo "k6 v1.2.3 (stand-in)"; exit; fi
for last; do :; done
exec ${node} "$last"`,
  jmeter: `if [ "$1" = --version ]; then echo "Copyright"; echo "5.6.3"; exit; fi
exec ${node} "$3" "$5"`,
}

/** Both engines, allowed. */
export async function fakeEngines(): Promise<InstalledEngine[]> {
  const { path } = await stubPrograms(standIns)
  return findEngines(['k6', 'jmeter'], { PATH: path })
}

/** JavaScript that prints points as `k6 run --out json=-` does: metric, value, tags. */
export const k6Points = `
const point = (metric, value, tags = {}, metadata = undefined) =>
  console.log(JSON.stringify({ type: 'Point', metric, data: { time: new Date().toISOString(), value, tags, metadata } }))
const request = (name, ms, { status = 200, group = '', user, iteration } = {}) => {
  const tags = { name, method: 'GET', url: name, status: String(status), group, expected_response: String(status > 0 && status < 400) }
  const metadata = user === undefined ? undefined : { vu: String(user), iter: String(iteration ?? 0) }
  point('http_req_duration', ms, tags, metadata)
  point('http_req_waiting', ms, tags)
  point('http_req_failed', status > 0 && status < 400 ? 0 : 1, tags)
}
const pause = (ms) => new Promise((go) => setTimeout(go, ms))
`

/** JavaScript that writes rows as JMeter writes them into its file of results. */
export const jtlRows = `
const { appendFileSync } = require('node:fs')
const file = process.argv[2]
appendFileSync(file, 'timeStamp,elapsed,label,responseCode,responseMessage,success,failureMessage,bytes,sentBytes,allThreads,URL,Latency,Connect\\n')
const row = (label, elapsed, { code = 200, users = 1, message = 'OK', url = 'http://shop.invalid/' } = {}) =>
  appendFileSync(file, [Date.now() - elapsed, elapsed, label, code, message, code < 400, '', 500, 100, users, url, elapsed, 0].join(',') + '\\n')
const pause = (ms) => new Promise((go) => setTimeout(go, ms))
`
