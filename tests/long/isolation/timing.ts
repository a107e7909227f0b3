import { catalogue } from '@flamegate/contract'
import { z } from 'zod'
import { inputs } from '../../system/inputs.ts'
import { nobodys } from '../../system/isolation/attacks.ts'
import { idsIn } from '../../system/isolation/loot.ts'
import { ask, type Tenant } from '../../system/isolation/tenant.ts'
import { rankTest } from './rank-test.ts'

export interface TimingResult {
  operation: string
  samples: number
  delta: number
  p: number
  isUsable: boolean
}

/** A difference that is smaller takes an attacker more calls than any limit allows, if it is one at all. */
const deltaMax = 0.33
const pMax = 0.001

/**
 * How long answers about a thing of the other's take, and about one of nobody's: one after the other, in an order that changes, the
 * same two each time. (An id that is another one each time takes some 10 µs longer by itself, which a quick machine tells apart.)
 * Usable is what is certain (Mann-Whitney, p below 0.001 divided by the number of operations) and more than a small effect (Cliff's
 * delta beyond 0.33).
 */
export async function tryTiming(
  attacker: Tenant,
  victim: Tenant,
  samples: number,
  goesOn: () => boolean,
): Promise<TimingResult[]> {
  const reads = catalogue.filter(
    ({ id, effect }) =>
      effect === 'read' && idsIn(JSON.stringify(inputs[id]?.(victim.world) ?? {})).length === 1,
  )
  const results: TimingResult[] = []
  for (const operation of reads) {
    if (!goesOn()) break
    const foreign = JSON.stringify(inputs[operation.id]?.(victim.world) ?? {})
    const missing = nobodys(foreign)
    const times = { foreign: new Array<number>(), missing: new Array<number>() }
    for (let at = 0; at < samples + 5; at += 1) {
      const [isForeignFirst, isKept] = [at % 2 === 0, at >= 5]
      for (const isForeign of [isForeignFirst, !isForeignFirst]) {
        const input = z.record(z.string(), z.unknown()).parse(JSON.parse(isForeign ? foreign : missing))
        const startedAt = performance.now()
        await ask(attacker, 'REST', operation, input)
        // The first few fill caches.
        if (isKept) times[isForeign ? 'foreign' : 'missing'].push(performance.now() - startedAt)
      }
    }
    const { delta, p } = rankTest(times.foreign, times.missing)
    results.push({
      operation: operation.id,
      samples,
      delta,
      p,
      isUsable: p < pMax / reads.length && Math.abs(delta) > deltaMax,
    })
  }
  return results
}
