// Many clients for many minutes, with access tokens that live for 20 seconds, while the gateways are restarted and
// killed one after another: nobody may be signed out, and no call may fail but those that were cut off and worked when
// tried again.
//
//     npm run long -- soak [--clients 50] [--minutes 10]
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { BrowserlessPerson } from '../system/browserless-person.ts'
import { startFleet } from './fleet/fleet.ts'
import { TokenClient, tokensSchema } from '../system/token-client.ts'
import type { Tokens } from '../system/token-client.ts'

const { values } = parseArgs({
  options: { clients: { type: 'string', default: '50' }, minutes: { type: 'string', default: '10' } },
})
const clientCount = Number(values.clients)
const minutes = Number(values.minutes)
/** Parts of one client that share its tokens and do not wait for each other, as windows of one editor do not. */
const workersPerClient = 3
const tokenSeconds = 20
const restartEveryMs = 15_000

const seen = {
  calls: 0,
  refreshes: 0,
  'cut off, then worked': 0,
  restarts: 0,
  crashes: 0,
  'signed out': 0,
  'failed calls': 0,
}
const failures: string[] = []

const fleet = await startFleet({
  gateways: 2,
  settings: { FLAMEGATE_ACCESS_TOKEN_SECONDS: String(tokenSeconds), FLAMEGATE_RATE_LIMITS: 'off' },
})
console.log(`${clientCount} clients, ${minutes} minutes, two gateways behind ${fleet.url}`)
const startedAt = Date.now()
const end = new AbortController()
try {
  const person = await BrowserlessPerson.signUp(fleet.url, 'Soak')
  const clients: { client: TokenClient; tokens: Tokens }[] = []
  for (let at = 0; at < clientCount; at += 1) {
    const client = new TokenClient(fleet.url)
    // Names differ, so that each is a client of its own.
    clients.push({ client, tokens: await client.connect(person, `Soak ${at}`) })
  }
  const work = Promise.all(
    clients.flatMap((each) => Array.from({ length: workersPerClient }, () => keepCalling(each))),
  )
  await disturb(startedAt + minutes * 60_000)
  end.abort()
  await work
} finally {
  await fleet.stop()
}

for (const [what, count] of Object.entries(seen)) console.log(`${what}: ${count}`)
for (const failure of failures.slice(0, 20)) console.log(`  ${failure}`)
if (seen['signed out'] > 0 || seen['failed calls'] > 0 || seen.refreshes < clientCount) process.exitCode = 1

/** Restarts one gateway after the other; every third time it is killed. */
async function disturb(until: number): Promise<void> {
  for (let round = 0; Date.now() < until; round += 1) {
    await pause(Math.min(restartEveryMs, until - Date.now()))
    if (Date.now() >= until) return
    const isCrash = round % 3 === 2
    await (isCrash ? fleet.crash(round % 2) : fleet.restart(round % 2))
    seen[isCrash ? 'crashes' : 'restarts'] += 1
    console.log(`${Math.round((Date.now() - startedAt) / 1000)} s: ${JSON.stringify(seen)}`)
  }
}

interface Shared {
  client: TokenClient
  tokens: Tokens
}

async function keepCalling(shared: Shared): Promise<void> {
  while (!end.signal.aborted) {
    await callOnce(shared)
    await pause(500 + Math.random() * 1_500)
  }
}

/** One call as clients make it: refreshed after a 401, tried again when the connection was cut. */
async function callOnce(shared: Shared): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    // What this part knows when it begins; another part may get new ones meanwhile.
    const { tokens } = shared
    const answer = await tried(() => shared.client.call(tokens.access_token, 'get_current_user'))
    if (answer?.status === 200 && !answer.text.includes('"isError":true')) {
      seen.calls += 1
      return
    }
    if (answer?.status === 401) {
      if (!(await refresh(shared, tokens))) return
    } else if (answer !== undefined && answer.status !== 502) {
      fail('failed calls', `call: ${answer.status} ${answer.text.slice(0, 200)}`)
      return
    } else {
      await pause(200 * (tries + 1))
    }
  }
  fail('failed calls', 'call: five tries in a row found no server')
}

/** All parts of the client find out at the same moment, and each sends the refresh token that it knows. */
async function refresh(shared: Shared, tokens: Tokens): Promise<boolean> {
  const sent = Array.from({ length: workersPerClient }, () =>
    tried(() => shared.client.refresh(tokens.refresh_token)),
  )
  const answers = (await Promise.all(sent)).filter((answer) => answer !== undefined)
  // Cut off, all of them: the same refresh token is sent again with the next try.
  const whole = answers.filter(({ status }) => status !== 502)
  const refused = whole.find(({ status }) => status !== 200)
  if (refused !== undefined) {
    fail('signed out', `refresh: ${refused.status} ${refused.text.slice(0, 200)}`)
    return false
  }
  seen.refreshes += whole.length
  for (const { text } of whole) shared.tokens = tokensSchema.parse(JSON.parse(text))
  return true
}

/** Status and body, or undefined when the connection broke twice in a row. */
async function tried(send: () => Promise<Response>): Promise<{ status: number; text: string } | undefined> {
  for (const isAgain of [false, true]) {
    try {
      const answer = await send()
      const text = await answer.text()
      if (isAgain) seen['cut off, then worked'] += 1
      return { status: answer.status, text }
    } catch {
      await pause(100)
    }
  }
  return undefined
}

function fail(what: 'signed out' | 'failed calls', why: string): void {
  seen[what] += 1
  failures.push(`${Math.round((Date.now() - startedAt) / 1000)} s: ${why}`)
}
