import {
  actionCounters,
  encodeTickBatch,
  generatorGauges,
  profileCounters,
  slotOf,
  valueMax,
  type ActionTick,
  type Histogram,
} from '@flamegate/series'

/** A run as people make them: how many of what, and how often. */
export const shape = { agents: 10, profiles: 2, actions: 200, requestsPerSecond: 5 }

interface ActionKind {
  profile: number
  /** Requests per second of one agent, and their median time. */
  rate: number
  medianUs: number
}

const place = (name: (typeof actionCounters)[number]) => actionCounters.indexOf(name)
const at = {
  count: place('count'),
  timeout: place('error_timeout'),
  failed: place('error_status_5xx'),
  ok: place('status_2xx'),
  status5xx: place('status_5xx'),
  sent: place('sent_bytes'),
  received: place('received_bytes'),
  opened: place('connections_opened'),
  connect: place('connect_us'),
  tls: place('tls_us'),
  wait: place('wait_us'),
  download: place('download_us'),
}

/**
 * Batches of a second of each agent, seeded. Each action has its own rate (a factor of nine between the busiest and the
 * quietest) and its own median (3 to 90 ms); times are log-normal (sigma 0.45), one in a hundred takes ten times as long, and all
 * get slower and faster by a fifth within twenty minutes. One request in a hundred was sent late, by up to 20 ms; one in two hundred
 * gets a 503, one in a thousand no answer.
 */
export function createBatches(seed: number, benchResultId: string): (second: number) => Uint8Array[] {
  const random = randomOf(seed)
  const kinds: ActionKind[] = Array.from({ length: shape.actions }, (_, action) => ({
    profile: action < shape.actions / 2 ? 0 : 1,
    rate: (shape.requestsPerSecond / 5) * (1 + 8 * (action / (shape.actions - 1))),
    medianUs: 3_000 * 30 ** random(),
  }))
  const spread = spreadOf(random)
  return (second) =>
    Array.from({ length: shape.agents }, (_, agent) => {
      const drift = 1 + 0.2 * Math.sin((2 * Math.PI * second) / 1_200)
      const actions = kinds.flatMap((kind, action) => {
        const tick = actionTick(kind, action, drift)
        return tick ? [tick] : []
      })
      const users = Float64Array.from(profileCounters, (_name, index) => (index === 0 ? 500 + agent : 40))
      const ticks = [
        {
          second,
          actions,
          profiles: Array.from({ length: shape.profiles }, () => users),
          generator: Float64Array.from(generatorGauges, () => Math.floor(1_000 * random())),
        },
      ]
      return encodeTickBatch({ benchResultId, agent, sequence: second, ticks })
    })

  function actionTick(kind: ActionKind, action: number, drift: number): ActionTick | undefined {
    const count = Math.floor(kind.rate + 2 * Math.sqrt(kind.rate) * (random() - 0.5) + random())
    if (count <= 0) return undefined
    const counters = new Float64Array(actionCounters.length)
    const add = (index: number, value: number) => {
      counters[index] = (counters[index] ?? 0) + Math.floor(value)
    }
    const service: number[] = []
    const response: number[] = []
    let isLate = false
    for (let index = 0; index < count; index++) {
      add(at.count, 1)
      if (random() < 0.001) {
        add(at.timeout, 1)
        continue
      }
      const isFailed = random() < 0.005
      add(isFailed ? at.failed : at.ok, 1)
      if (isFailed) add(at.status5xx, 1)
      const slow = random() < 0.01 ? 10 : 1
      const us = Math.min(
        valueMax,
        kind.medianUs * drift * slow * (spread[(random() * spread.length) | 0] ?? 1),
      )
      const lateUs = random() < 0.01 ? 20_000 * random() : 0
      isLate ||= lateUs > 0
      service.push(slotOf(us | 0))
      response.push(slotOf((us + lateUs) | 0))
      add(at.sent, 350 + 40 * random())
      add(at.received, 2_000 + 6_000 * random())
      add(at.wait, 0.9 * us)
      add(at.download, 0.1 * us)
      if (random() > 0.002) continue
      add(at.opened, 1)
      add(at.connect, 300 + 200 * random())
      add(at.tls, 900 + 600 * random())
    }
    const serviceTime = histogramOf(service)
    const responseTime = isLate ? histogramOf(response) : serviceTime
    return { profile: kind.profile, action, counters, serviceTime, responseTime }
  }
}

function histogramOf(slots: number[]): Histogram {
  slots.sort((a, b) => a - b)
  const found: number[] = []
  const counts: number[] = []
  for (const slot of slots)
    if (found.at(-1) === slot) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1
    else {
      found.push(slot)
      counts.push(1)
    }
  return { slots: Uint16Array.from(found), counts: Uint32Array.from(counts) }
}

/** Log-normal factors around 1. */
function spreadOf(random: () => number): Float64Array {
  return Float64Array.from({ length: 1 << 16 }, () =>
    Math.exp(0.45 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())),
  )
}

/** Mulberry32: from 0 to below 1. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
