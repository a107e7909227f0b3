import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { countOf, decodeTick, mergeHistograms, percentileOf } from '@flamegate/series'
import { expect, test } from 'vitest'
import { holdsOthers } from '../bench-runs/holds-others.ts'
import { readBenchResults } from './read-bench-results.ts'
import { batchesOf } from './tick-frames.ts'

/** A folder with results that the real tools wrote, which is no part of the project; set by `FLAMEGATE_FIXTURES`. */
const folder = process.env['FLAMEGATE_FIXTURES'] ?? ''

/**
 * What another program reads there: Python's csv.DictReader, xml.etree and json, with percentiles by nearest rank. Of each file
 * requests, failures, the 50th, 90th, 95th and 99th percentile and the maximum in ms, and how many names (of a HAR with the method, without the query).
 */
const truths: readonly (readonly [string, number, number, readonly number[], number])[] = [
  ['jtl/HTMLReportTestFile.csv', 255, 3, [232, 337, 339, 353, 353], 2],
  ['jtl/taurus-slow-stdev.jtl', 599, 63, [490, 2012, 2475, 3201, 3531], 18],
  ['jtl/taurus-kpi1.jtl', 21, 9, [3, 3, 4, 34, 34], 2],
  ['jtl/taurus-tabs.jtl', 4, 0, [268, 1008, 1008, 1008, 1008], 1],
  ['jtl/taurus-unicode.jtl', 13, 13, [857, 868, 1152, 1152, 1152], 2],
  ['jtl/taurus-quote-guessing-crash.jtl', 10, 0, [355, 1009, 2137, 2137, 2137], 1],
  ['jtl/taurus-doublequoting.jtl', 2, 2, [1391, 3205, 3205, 3205, 3205], 1],
  ['jtl/jmeter-sample_log1.jtl.gz', 10_000, 0, [321, 1162, 1622, 3505, 21_782], 2],
  ['jtl/taurus-many-errors-unique-responses.jtl.gz', 189, 189, [112, 123, 129, 362, 378], 3],
  ['jtl/taurus-error1.jtl', 9, 9, [3, 3, 3, 3, 3], 1],
  ['k6/k6_kpi.csv', 4, 2, [0, 245.591442, 245.591442, 245.591442, 245.591442], 2],
  ['gatling-log/gatling-3-000.simulation.log', 243, 0, [63, 65, 66, 121, 379], 1],
  ['gatling-log/gatling-331-000.simulation.log', 100, 0, [90, 201, 235, 247, 256], 1],
  ['gatling-log/gatling-4-000.simulation.log', 644, 2, [241, 371, 400, 666, 2118], 3],
  ['har/correlation-shop.har', 8, 0, [9.944, 14.737, 14.737, 14.737, 14.737], 8],
]

test.runIf(folder !== '').each(truths)(
  '%s has as many requests and failures as another program reads, and its percentiles',
  async (path, count, failed, percentiles, names) => {
    const frames: Uint8Array[] = []
    const outcome = await readBenchResults(
      createReadStream(join(folder, path)),
      (frame) => void frames.push(frame),
    )
    if ('refused' in outcome) throw new Error(outcome.refused)
    const { actions, startedAtMs } = outcome.results
    const requests = new Set(actions.flatMap((action, place) => (holdsOthers(action) ? [] : [place])))
    const times: ReturnType<typeof decodeTick>['actions'][number]['responseTime'][] = []
    let errors = 0
    for await (const { ticks } of batchesOf(inOne(frames), startedAtMs / 1000))
      for (const { bytes } of ticks)
        for (const { action, responseTime, counters } of decodeTick(bytes).actions) {
          if (!requests.has(action)) continue
          times.push(responseTime)
          // Classes of errors come after the count.
          errors += counters.slice(1, 13).reduce((sum, each) => sum + each, 0)
        }
    const all = mergeHistograms(times)
    expect([countOf(all), errors]).toEqual([count, failed])
    expect(new Set([...requests].map((place) => actions[place]?.name)).size).toBe(names)
    for (const [index, percent] of [50, 90, 95, 99, 100].entries()) {
      const wantedUs = (percentiles[index] ?? 0) * 1000
      const got = percentileOf(all, percent) ?? NaN
      expect(Math.abs(got - wantedUs)).toBeLessThanOrEqual(wantedUs / 1000 + 1)
    }
  },
)

async function* inOne(frames: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield Buffer.concat(frames)
}
