import { once } from 'node:events'
import { createServer, request as askHttp, type IncomingMessage, type Server } from 'node:http'
import { operations } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLoadedProject, type LoadedProject } from './loaded-project.ts'
import { platform, signUp, type Person } from './person.ts'

/** How profiles reach servers, and when their iterations begin: what the page writes is what an agent does. */

let owner: Person
let project: LoadedProject
let proxy: Server
let proxyPort: number
const passedOn: { url: string; proof: string | undefined; connection: string | undefined }[] = []

beforeAll(async () => {
  owner = await signUp('Access')
  project = await startLoadedProject(platform().url, owner, 'Access')
  proxy = createServer((request: IncomingMessage, response) => {
    const { 'proxy-authorization': proof, ...headers } = request.headers
    passedOn.push({ url: request.url ?? '', proof, connection: headers.connection })
    const asked = askHttp(request.url ?? '', { headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    asked.end()
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new TypeError('A TCP server has a port')
  proxyPort = address.port
})
afterAll(async () => {
  proxy.close().closeAllConnections()
  await project.stop()
})

const load = (users: number) => ({ type: 'ramp_up', users, ramp_up_ms: 0, plateau_ms: 4000 })

async function scenarioWith(profiles: readonly object[]): Promise<string> {
  const { scenario } = await owner.client.call(operations.createScenario, {
    project_id: project.id,
    name: `Access ${profiles.length}`,
    document: {
      profiles: profiles.map((profile, index) => ({
        id: `p${index}`,
        name: `p${index}`,
        virtual_user_id: project.virtualUserId,
        load: load(1),
        ...profile,
      })),
    },
  })
  return scenario.id
}

test('agents keep to the pacing, the line, the proxy and the connections of a profile', async () => {
  await owner.client.call(operations.createVariable, {
    project_id: project.id,
    name: 'proxy_password',
    type: 'secret',
    value: 'hush-hush',
  })
  const proxyUrl = `http://ann:\${proxy_password}@127.0.0.1:${proxyPort}`
  const network = { latency_ms: 150 }
  const id = await scenarioWith([
    {},
    { pacing: { distribution: 'constant', ms: 1000 } },
    { network },
    { proxy_url: proxyUrl, keep_alive: false },
  ])
  const checks = await owner.client.call(operations.preflightScenario, { scenario_id: id })
  expect(checks.checks.filter(({ grade }) => grade === 'error')).toEqual([])
  const result = await project.run(id)
  expect(result.bench_result).toMatchObject({ state: 'FINISHED' })
  expect(result.numbers?.failed).toBe(0)
  const { rows } = await owner.client.call(operations.getBenchTable, {
    bench_result_id: result.bench_result.id,
  })
  const row = (profile: string) => {
    const found = rows.find((each) => each.profile === profile && each.action_id === 'act_quick')
    if (found === undefined) throw new Error(`${profile} did nothing`)
    return found
  }
  // Iterations last some 150 ms. Paced ones begin at 0, 1, 2 and 3 seconds.
  expect(row('p1').count).toBeLessThanOrEqual(5)
  expect(row('p0').count).toBeGreaterThan(2 * row('p1').count)
  expect(row('p2').p50_ms).toBeGreaterThan(149)
  expect(row('p0').p50_ms).toBeLessThan(row('p2').p50_ms ?? 0)
  expect(passedOn.filter(({ url }) => url.endsWith('/quick'))).toHaveLength(row('p3').count)
  const proof = `Basic ${Buffer.from('ann:hush-hush').toString('base64')}`
  expect(new Set(passedOn.map((each) => `${each.connection} ${each.proof}`))).toEqual(
    new Set([`close ${proof}`]),
  )
})

test('a pacing of an open load, and a proxy that nobody proved, are refused with the field', async () => {
  const open = { type: 'constant_rate', rate_per_second: 1, duration_ms: 1000 }
  await expect(
    scenarioWith([{ load: open, pacing: { distribution: 'constant', ms: 1 } }]),
  ).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('pacing') })
  const id = await scenarioWith([{ proxy_url: 'http://ann:hush@proxy.invalid:3128' }])
  const { checks } = await owner.client.call(operations.preflightScenario, { scenario_id: id })
  expect(checks).toContainEqual(
    expect.objectContaining({ code: 'target_unverified', pointer: '/profiles/0/proxy_url' }),
  )
  expect(checks).toContainEqual(expect.objectContaining({ code: 'plain_secret', grade: 'warning' }))
  expect(JSON.stringify(checks)).not.toContain('hush')
  await expect(owner.client.call(operations.runScenario, { scenario_id: id })).rejects.toMatchObject({
    code: 'invalid_input',
  })
})
