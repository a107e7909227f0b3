// How soon both of two gateways refuse the tokens of an app that its person has revoked: 100 times, each within a
// second.
//
//     npm run long -- revocation [--times 100]
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { decodeJwt } from 'jose'
import { BrowserlessPerson } from '../system/browserless-person.ts'
import { TokenClient } from '../system/token-client.ts'
import { startFleet } from './fleet/fleet.ts'

const { values } = parseArgs({ options: { times: { type: 'string', default: '100' } } })
const times = Number(values.times)
const limitMs = 1_000
const askEveryMs = 2

const fleet = await startFleet({ gateways: 2, settings: { FLAMEGATE_RATE_LIMITS: 'off' } })
/** Milliseconds from the moment that revoking was asked for, per gateway. */
const waits = fleet.gatewayUrls.map((): number[] => [])
try {
  const person = await BrowserlessPerson.signUp(fleet.url, 'Revocation')
  for (let round = 0; round < times; round += 1) {
    const client = new TokenClient(fleet.url)
    const { access_token: token, refresh_token: refreshToken } = await client.connect(person, `App ${round}`)
    const statusAt = async (gatewayUrl: string) =>
      (await client.call(token, 'get_current_user', gatewayUrl)).status
    const before = await Promise.all(fleet.gatewayUrls.map(statusAt))
    if (before.some((status) => status !== 200)) throw new Error(`Before: ${before.join(', ')}`)

    const startedAt = performance.now()
    const revoking = person.rest('DELETE', `/v1/me/connected-apps/${String(decodeJwt(token)['gid'])}`)
    await Promise.all(
      fleet.gatewayUrls.map(async (gatewayUrl, index) => {
        while ((await statusAt(gatewayUrl)) !== 401) {
          if (performance.now() - startedAt > 10 * limitMs) throw new Error(`${gatewayUrl} never refused`)
          await pause(askEveryMs)
        }
        waits[index]?.push(performance.now() - startedAt)
      }),
    )
    const { status } = await revoking
    const refreshed = await client.refresh(refreshToken)
    if (status !== 200 || refreshed.status !== 400) {
      throw new Error(`Revoking answered ${status}, refreshing afterwards ${refreshed.status}`)
    }
  }
} finally {
  await fleet.stop()
}

const all = waits.map((each, index) => ({ name: `gateway ${index + 1}`, ms: each.toSorted((a, b) => a - b) }))
console.log('| refused by | times | median ms | p95 ms | worst ms |\n| --- | ---: | ---: | ---: | ---: |')
for (const { name, ms } of all) {
  const at = (share: number) => ms[Math.min(ms.length - 1, Math.floor(share * ms.length))]?.toFixed(0)
  console.log(`| ${name} | ${ms.length} | ${at(0.5)} | ${at(0.95)} | ${ms.at(-1)?.toFixed(0)} |`)
}
const late = all.flatMap(({ ms }) => ms).filter((ms) => ms > limitMs)
console.log(`${late.length} of ${all.flatMap(({ ms }) => ms).length} took longer than ${limitMs} ms.`)
if (late.length > 0) process.exitCode = 1
