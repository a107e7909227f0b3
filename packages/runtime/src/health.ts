import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { closeGently } from './close-gently.ts'

export interface HealthOptions {
  /** What must work before traffic may come, by name. A check that rejects or takes too long is red. */
  checks: Readonly<Record<string, () => Promise<unknown>>>
  /** How long one check may take. */
  timeoutMs?: number
}

export interface Health {
  /**
   * From now on `/readyz` is red, so that load balancers send new requests elsewhere, and answers close their connections. What
   * comes all the same is answered as ever; the promise ends when everybody had that long to notice. Closed after that, the server
   * still answers whoever connected until then.
   */
  drain(forMs: number): Promise<void>
}

type CheckResult = { name: string; status: 'ok' | 'failed' | 'timed_out'; ms: number }

/** Anybody may ask; what they can make us do is bounded by answering from the last result for this long. */
const resultIsFreshForMs = 1_000

/**
 * Adds `/healthz` (200 while the process can answer at all) and `/readyz` (200 when every check passes, else 503).
 * Neither needs a token and neither tells why something failed; the log does.
 */
export function addHealth(app: FastifyInstance, options: HealthOptions): Health {
  let isDraining = false
  let last: { at: number; results: Promise<CheckResult[]> } | undefined

  const checkAll = () => {
    if (last && performance.now() - last.at < resultIsFreshForMs) return last.results
    const results = Promise.all(
      Object.entries(options.checks).map(([name, check]) =>
        runCheck(app, name, check, options.timeoutMs ?? 2_000),
      ),
    )
    last = { at: performance.now(), results }
    return results
  }

  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )

  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isDraining) return reply.code(503).send({ status: 'draining', checks: {} })
    const results = await checkAll()
    const isReady = results.every((result) => result.status === 'ok')
    return reply.code(isReady ? 200 : 503).send({
      status: isReady ? 'ready' : 'not_ready',
      checks: Object.fromEntries(results.map(({ name, status, ms }) => [name, { status, ms }])),
    })
  })

  // A connection that is kept would bring its next request after we are gone.
  app.addHook('onSend', async (_request, reply) => {
    if (isDraining) reply.header('connection', 'close')
  })

  return {
    drain(forMs) {
      isDraining = true
      if (forMs > 0) closeGently(app.server)
      return pause(forMs)
    },
  }
}

async function runCheck(
  app: FastifyInstance,
  name: string,
  check: () => Promise<unknown>,
  timeoutMs: number,
): Promise<CheckResult> {
  const startedAt = performance.now()
  const done = (status: CheckResult['status']) => ({
    name,
    status,
    ms: Math.round(performance.now() - startedAt),
  })
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<'timed_out'>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'timed_out')
  })
  try {
    return done(await Promise.race([check().then(() => 'ok' as const), timeout]))
  } catch (error) {
    app.log.warn({ err: error, check: name }, 'readiness check failed')
    return done('failed')
  } finally {
    clearTimeout(timer)
  }
}
