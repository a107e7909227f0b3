import { expect, test } from 'vitest'
import { measuredRun, readingOf, secondsAfterStart } from '../bench-runs/testing/measured-runs.ts'
import { judgeSla } from './judge-sla.ts'

const bands = Object.entries({ count: 3, rate: 3, received_bytes: 3000, sent_bytes: 300 }).map(
  ([metric, from]) => ({ severity: 'critical', metric, from }),
)
const load = { type: 'ramp_up', users: 2, plateau_ms: 60_000 }

/** Of a run of so many hours that does two requests in each of its first ten seconds: whether a second had as much as is too much. */
async function severitiesOf(hours: number) {
  const document = { name: 'Gold', bands, attachments: [{ virtual_user_id: 'vu_1', action_id: null }] }
  const { run, plan, requests } = measuredRun(
    { durationMs: hours * 3_600_000, endedAt: secondsAfterStart(hours * 3600) },
    Array.from({ length: 10 }, (_, second) => ({ second, count: 2 })),
    {
      scenario: { name: 'Checkout', profiles: [{ id: 'p1', name: 'Buyers', virtual_user_id: 'vu_1', load }] },
      virtual_users: [{ id: 'vu_1', version: 1, document: { name: 'Buyer' } }],
      sla_profiles: [{ id: 'sla_1', document }],
    },
  )
  const verdicts = await judgeSla(readingOf([{ run, plan, requests }]), run, plan)
  return verdicts.map(({ severity }) => severity)
}

test('of a run over an hour, whose steps are several seconds, bands look at single seconds too', async () => {
  const passed = ['passed', 'passed', 'passed', 'passed']
  expect(await severitiesOf(1)).toEqual(passed)
  expect(await severitiesOf(2)).toEqual(passed)
})
