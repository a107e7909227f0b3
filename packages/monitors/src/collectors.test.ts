import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { startEmbeddedPostgres } from '@flamegate/embedded-postgres'
import { parseDocument } from '@flamegate/loadtest'
import {
  AggregationTemporalityPreference,
  OTLPMetricExporter as JsonExporter,
} from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { Redis } from 'ioredis'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Rates, type Kept } from './kept-counters.ts'
import { openCollector } from './open-collector.ts'
import type { Collector, Reading } from './reading.ts'
import { freePort, startProgram } from './testing/start-program.ts'

/** Every collector on the real thing: what it says is held against what was done to that. */

async function open(document: object, secret: string | null = null): Promise<Collector> {
  const collector = await openCollector(parseDocument('monitor', { name: 'it', ...document }), secret)
  onTestFinished(() => collector.close())
  return collector
}

const valueOf = (readings: readonly { name: string; value: number | null }[], name: string): number => {
  const found = readings.find((each) => each.name === name)
  if (found?.value === undefined || found.value === null)
    throw new Error(`There is no ${name} among ${readings.map((each) => each.name).join(', ')}`)
  return found.value
}

/** What is kept of what only rises, while something is done. */
async function ratesWhile(
  collector: Collector,
  work: () => Promise<unknown>,
): Promise<{ kept: Kept[]; seconds: number }> {
  const rates = new Rates()
  const from = performance.now()
  rates.of(await collector.read(), from)
  await work()
  await pause(300)
  const readings = await collector.read()
  const to = performance.now()
  return { kept: rates.of(readings, to), seconds: (to - from) / 1000 }
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'flamegate-monitors-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

/** Whether a program is there to be tested with; says loudly when it is not. */
function isInstalled(program: string, what: string, args: readonly string[] = ['--version']): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    console.warn(`SKIPPED: monitors of ${what}, because ${program} is not installed.`)
    return false
  }
}

const isRoot = process.getuid?.() === 0

describe.skipIf(process.platform !== 'linux')('linux', () => {
  test('tells of this machine, and sees that it works', async () => {
    const collector = await open({ type: 'linux' })
    const { kept } = await ratesWhile(collector, async () => {
      const until = performance.now() + 400
      while (performance.now() < until) Math.sqrt(Math.random())
    })
    expect(valueOf(kept, 'cpu.used')).toBeGreaterThan(5)
    expect(valueOf(kept, 'cpu.used')).toBeLessThanOrEqual(110)
    const sum = ['used', 'iowait', 'idle'].reduce((total, name) => total + valueOf(kept, `cpu.${name}`), 0)
    expect(sum).toBeGreaterThan(80)
    expect(sum).toBeLessThan(120)
    expect(valueOf(kept, 'memory.used') + valueOf(kept, 'memory.available')).toBeGreaterThan(1e8)
    expect(valueOf(kept, 'memory.used_share')).toBeLessThan(100)
    expect(valueOf(kept, 'filesystem.root.used_share')).toBeLessThanOrEqual(100)
    expect(kept.some(({ name }) => name.startsWith('network.lo.'))).toBe(true)
  })
})

describe('postgres', () => {
  test('counts what is done in the database, and says what is wrong', { timeout: 60_000 }, async () => {
    const dataDir = await folder()
    const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'data'), password: 'secret' })
    onTestFinished(() => server.stop())
    const admin = new Client({ connectionString: server.url('postgres') })
    admin.on('error', () => undefined)
    await admin.connect()
    await admin.query(`CREATE ROLE watch LOGIN PASSWORD 'look' IN ROLE pg_monitor`)
    await admin.query('CREATE TABLE orders (id int)')
    // What these wrote is counted before, and not while it is looked at.
    await admin.query('SELECT pg_stat_force_next_flush()')
    const document = { type: 'postgres', port: server.port, user: 'watch' }
    const collector = await open(document, 'look')
    const { kept, seconds } = await ratesWhile(collector, async () => {
      for (let index = 0; index < 50; index++) {
        // oxlint-disable-next-line no-await-in-loop -- fifty transactions
        await admin.query('INSERT INTO orders VALUES (1)')
      }
      await admin.query('SELECT pg_stat_force_next_flush()')
    })
    expect(Math.round(valueOf(kept, 'database.tup_inserted') * seconds)).toBe(50)
    expect(valueOf(kept, 'database.xact_commit') * seconds).toBeGreaterThanOrEqual(50)
    expect(valueOf(kept, 'connections.all')).toBe(2)
    expect(valueOf(kept, 'connections.max')).toBeGreaterThan(10)
    expect(valueOf(kept, 'database.size')).toBeGreaterThan(1e6)
    expect(kept.find(({ name }) => name.startsWith('checkpointer.'))?.value).toBeTypeOf('number')
    await admin.end()
    await expect(open(document, 'wrong')).rejects.toThrow('password authentication failed')
    await server.stop()
    await expect(collector.read()).rejects.toThrow(/terminat/)
  })
})

describe.skipIf(!isInstalled('mariadbd', 'MySQL and MariaDB'))('mysql', () => {
  test('counts what is done in the server, and says what is wrong', { timeout: 60_000 }, async () => {
    const dataDir = await folder()
    const asRoot = isRoot ? ['--user=root'] : []
    execFileSync(
      'mariadb-install-db',
      ['--no-defaults', `--datadir=${dataDir}`, '--auth-root-authentication-method=normal', ...asRoot],
      { stdio: 'ignore' },
    )
    const port = await freePort()
    const args = [
      `--datadir=${dataDir}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${dataDir}/s`,
    ]
    await startProgram('mariadbd', ['--no-defaults', ...args, ...asRoot], port)
    const admin = await createConnection({ host: '127.0.0.1', port, user: 'root' })
    onTestFinished(() => admin.destroy())
    await admin.query(`CREATE USER watch@'127.0.0.1' IDENTIFIED BY 'look'`)
    const document = { type: 'mysql', port, user: 'watch' }
    const collector = await open(document, 'look')
    const { kept, seconds } = await ratesWhile(collector, async () => {
      for (let index = 0; index < 40; index++) {
        // oxlint-disable-next-line no-await-in-loop -- forty questions
        await admin.query('SELECT 1')
      }
    })
    expect(Math.round(valueOf(kept, 'Com_select') * seconds)).toBe(40)
    expect(valueOf(kept, 'Threads_connected')).toBe(2)
    const readings = await collector.read()
    expect(readings.length).toBeGreaterThan(200)
    expect(readings.filter(({ isUsual }) => isUsual).length).toBeGreaterThan(25)
    await expect(open(document, 'wrong')).rejects.toThrow('Access denied')
    await expect(open({ ...document, port: await freePort() }, 'look')).rejects.toThrow('ECONNREFUSED')
  })
})

describe.skipIf(!isInstalled('redis-server', 'Redis'))('redis', () => {
  test('counts what is done in the server, and says what is wrong', async () => {
    const port = await freePort()
    const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--requirepass', 'look']
    await startProgram('redis-server', args, port)
    const redis = new Redis({ port, password: 'look' })
    onTestFinished(() => redis.disconnect())
    await redis.set('present', '1')
    const collector = await open({ type: 'redis', port }, 'look')
    const { kept, seconds } = await ratesWhile(collector, async () => {
      for (let index = 0; index < 30; index++) {
        // oxlint-disable-next-line no-await-in-loop -- thirty of each
        await redis.get('present')
        // oxlint-disable-next-line no-await-in-loop -- see above
        await redis.get('missing')
      }
    })
    expect(Math.round(valueOf(kept, 'keyspace_hits') * seconds)).toBe(30)
    expect(Math.round(valueOf(kept, 'keyspace_misses') * seconds)).toBe(30)
    expect(valueOf(kept, 'connected_clients')).toBe(2)
    expect(valueOf(kept, 'db0.keys')).toBe(1)
    expect(valueOf(kept, 'used_memory')).toBeGreaterThan(100_000)
    await expect(open({ type: 'redis', port }, 'wrong')).rejects.toThrow(/WRONGPASS|invalid/)
    await expect(open({ type: 'redis', port: await freePort() })).rejects.toThrow('ECONNREFUSED')
  })
})

describe.skipIf(!isInstalled('nginx', 'nginx', ['-v']))('nginx', () => {
  test('counts its requests', async () => {
    const dir = await folder()
    const port = await freePort()
    await writeFile(
      join(dir, 'nginx.conf'),
      `daemon off; pid ${dir}/pid; error_log stderr; worker_processes 1; ${isRoot ? 'user root;' : ''}
      events { worker_connections 64; }
      http { access_log off; client_body_temp_path ${dir}; proxy_temp_path ${dir}; fastcgi_temp_path ${dir};
        uwsgi_temp_path ${dir}; scgi_temp_path ${dir};
        server { listen 127.0.0.1:${port}; location /status { stub_status; } location / { return 200 'here'; } } }`,
    )
    await startProgram('nginx', ['-e', 'stderr', '-c', join(dir, 'nginx.conf')], port)
    const at = (path: string) => `http://127.0.0.1:${port}${path}`
    const collector = await open({ type: 'nginx', target_url: at('/status') })
    const { kept, seconds } = await ratesWhile(collector, () =>
      Promise.all(Array.from({ length: 20 }, async () => (await fetch(at('/'))).text())),
    )
    // The second look at the status is one, too.
    expect(Math.round(valueOf(kept, 'requests') * seconds)).toBe(21)
    expect(valueOf(kept, 'connections.active')).toBeGreaterThanOrEqual(1)
    expect(valueOf(kept, 'connections.dropped')).toBe(0)
    const other = await open({ type: 'nginx', target_url: at('/') })
    await expect(other.read()).rejects.toThrow('not what stub_status answers')
  })
})

describe.skipIf(!isInstalled('prometheus-node-exporter', 'a Prometheus exporter'))('prometheus', () => {
  test('reads what an exporter of the machine tells', async () => {
    const port = await freePort()
    await startProgram('prometheus-node-exporter', [`--web.listen-address=127.0.0.1:${port}`], port)
    const collector = await open({ type: 'prometheus', target_url: `http://127.0.0.1:${port}/metrics` })
    const { kept } = await ratesWhile(collector, () => pause(100))
    expect(valueOf(kept, 'node_memory_MemTotal_bytes')).toBeGreaterThan(1e8)
    const idle = kept.filter(({ name }) => /^node_cpu_seconds_total\{.*mode="idle"/.test(name))
    expect(idle.length).toBeGreaterThanOrEqual(1)
    expect(
      idle.every(({ unit, value }) => unit === '/s' && value !== null && value >= 0 && value < 1.3),
    ).toBe(true)
  })
})

/** Answers only who knows the password or the token. */
async function guarded(answer: (authorization: string | undefined) => [status: number, body: string]) {
  const server = createServer((request, response) => {
    const [status, body] = answer(request.headers.authorization)
    response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:9/' } : {}).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/metrics`
}

describe('over HTTP', () => {
  test('the secret is a password with a user, a token without one, and goes nowhere else', async () => {
    const seen: unknown[] = []
    const url = await guarded((authorization) => {
      seen.push(authorization)
      return [authorization === undefined ? 401 : 200, 'up 1\n']
    })
    await (await open({ type: 'prometheus', target_url: url, user: 'ada' }, 'pw')).read()
    await (await open({ type: 'prometheus', target_url: url }, 'token')).read()
    await expect((await open({ type: 'prometheus', target_url: url })).read()).rejects.toThrow(
      '401: look at user',
    )
    expect(seen).toEqual([`Basic ${btoa('ada:pw')}`, 'Bearer token', undefined])
    const elsewhere = await guarded(() => [302, ''])
    const redirected = await open({ type: 'prometheus', target_url: elsewhere }, 'token')
    await expect(redirected.read()).rejects.toThrow('It answered 302')
  })
})

const jars = ['/usr/share/java/jolokia-core.jar', '/usr/share/java/json-simple.jar']
const hasJolokia = isInstalled('java', 'a JVM through Jolokia') && jars.every((jar) => existsSync(jar))
if (!hasJolokia)
  console.warn('SKIPPED: monitors of a JVM, because Debian’s libjolokia-core-java is not installed.')

describe.skipIf(!hasJolokia)('jolokia', () => {
  test('reads a JVM, and MBeans of its program', { timeout: 60_000 }, async () => {
    const port = await freePort()
    const source = join(import.meta.dirname, 'testing/JolokiaServer.java')
    await startProgram('java', ['-cp', jars.join(':'), source, `${port}`], port)
    const target_url = `http://127.0.0.1:${port}/jolokia`
    const usual = await (await open({ type: 'jolokia', target_url })).read()
    expect(valueOf(usual, 'java.lang:type=Memory HeapMemoryUsage.used')).toBeGreaterThan(1e6)
    expect(valueOf(usual, 'java.lang:type=Threading ThreadCount')).toBeGreaterThan(3)
    const collections = usual.filter(({ name }) => /type=GarbageCollector/.test(name))
    expect(collections.length).toBeGreaterThanOrEqual(2)
    expect(collections.every(({ kind }) => kind === 'counter')).toBe(true)
    const mbeans = [
      { mbean: 'shop:type=Shop', attributes: ['OpenCarts'] },
      { mbean: 'shop:type=Shop', attributes: ['Orders'], is_monotone: true },
    ]
    const { kept } = await ratesWhile(await open({ type: 'jolokia', target_url, mbeans }), () => pause(500))
    expect(valueOf(kept, 'shop:type=Shop OpenCarts')).toBe(7)
    expect(valueOf(kept, 'shop:type=Shop Orders')).toBeGreaterThan(85)
    expect(valueOf(kept, 'shop:type=Shop Orders')).toBeLessThan(115)
    const missing = await open({ type: 'jolokia', target_url, mbeans: [{ mbean: 'shop:type=None' }] })
    await expect(missing.read()).rejects.toThrow('Jolokia answered 404')
  })
})

describe('otlp', () => {
  test.each([
    ['protobuf', ProtobufExporter, AggregationTemporalityPreference.CUMULATIVE],
    ['JSON', JsonExporter, AggregationTemporalityPreference.CUMULATIVE],
    ['protobuf of differences', ProtobufExporter, AggregationTemporalityPreference.DELTA],
  ])('takes what the SDK of OpenTelemetry sends as %s', async (_what, Exporter, temporalityPreference) => {
    const port = await freePort()
    const collector = await open({ type: 'otlp', port })
    const url = `http://127.0.0.1:${port}/v1/metrics`
    const reader = new PeriodicExportingMetricReader({
      exporter: new Exporter({ url, temporalityPreference }),
      exportIntervalMillis: 3_600_000,
      exportTimeoutMillis: 10_000,
    })
    const provider = new MeterProvider({ readers: [reader] })
    onTestFinished(() => provider.shutdown())
    const meter = provider.getMeter('shop')
    meter
      .createObservableGauge('carts', { unit: '1' })
      .addCallback((result) => result.observe(-3, { shop: 'north' }))
    const orders = meter.createCounter('orders')
    const durations = meter.createHistogram('duration', { unit: 'ms' })
    const from = performance.now()
    orders.add(5)
    durations.record(10)
    await reader.forceFlush()
    await pause(1000)
    orders.add(100)
    durations.record(20)
    durations.record(40)
    await reader.forceFlush()
    const seconds = (performance.now() - from) / 1000
    const readings: Reading[] = await collector.read()
    const named = (start: string) => {
      const found = readings.find(({ name }) => name.startsWith(start))
      if (found === undefined)
        throw new Error(`no ${start} in ${readings.map(({ name }) => name).join(', ')}`)
      return found
    }
    expect(named('carts').value).toBe(-3)
    expect(named('carts').name).toContain('shop="north"')
    expect(named('orders')).toMatchObject({ unit: '/s', kind: 'gauge' })
    expect(named('orders').value).toBeGreaterThan(100 / seconds - 1)
    expect(named('orders').value).toBeLessThanOrEqual(101)
    expect(named('duration.sum').value / named('duration.count').value).toBeCloseTo(30, 5)
    expect(named('duration.sum').unit).toBe('ms/s')
  })

  test('refuses what is none of it, and another that listens', async () => {
    const port = await freePort()
    await open({ type: 'otlp', port })
    const send = async (
      path: string,
      type: string,
      body: string | Uint8Array<ArrayBuffer>,
      encoding = 'identity',
    ) =>
      (
        await fetch(`http://127.0.0.1:${port}${path}`, {
          method: 'POST',
          headers: { 'content-type': type, 'content-encoding': encoding },
          body,
        })
      ).status
    expect(await send('/v1/traces', 'application/json', '{}')).toBe(404)
    expect(await send('/v1/metrics', 'text/plain', '{}')).toBe(415)
    expect(await send('/v1/metrics', 'application/json', '{"resourceMetrics": 1}')).toBe(400)
    expect(await send('/v1/metrics', 'application/x-protobuf', '\u0001')).toBe(400)
    expect(await send('/v1/metrics', 'application/json', '{}', 'deflate')).toBe(415)
    expect(await send('/v1/metrics', 'application/json', '{}', 'gzip')).toBe(400)
    expect(await send('/v1/metrics', 'application/json', '{}')).toBe(200)
    expect(await send('/v1/metrics', 'application/json', new Uint8Array(gzipSync('{}')), 'gzip')).toBe(200)
    await expect(open({ type: 'otlp', port })).rejects.toThrow('EADDRINUSE')
  })
})
