import { operations, Problem, type OutputOf } from '@flamegate/contract'
import type { SiteGrowth } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { askSeveral } from './asking.ts'
import { comparing } from './comparing.ts'
import { heapSiteOnWire } from './heap-site-on-wire.ts'
import { leakReport } from './leak-report.ts'
import { samplingNote } from './sampling-note.ts'
import { mustBeReady } from './selected-samples.ts'
import { takenAt } from './taken-at.ts'

type Answer = OutputOf<typeof operations.detectMemoryLeaks>

export const detectMemoryLeaks = implement(operations.detectMemoryLeaks)(async (input, context) => {
  const base = await getProfile(context, input.base_profile_id)
  const head = await getProfile(context, input.head_profile_id)
  for (const record of [base, head]) mustBeReady(record)
  const { timesMs, isByUpload } = takenAt([base, head])
  const [baseMs = 0, headMs = 0] = timesMs
  const secondsBetween = (headMs - baseMs) / 1000
  if (secondsBetween < 0) {
    throw new Problem('invalid_input', 'The head profile was taken before the base profile: swap them.', {
      errors: [{ field: 'head_profile_id', message: 'Must be the later one.' }],
    })
  }
  const growth = await comparing(
    askSeveral(context, [base, head], 'heapGrowth', {
      limit: input.limit,
      thresholdPercent: input.threshold_percent,
    }),
  )
  const answer: Omit<Answer, 'report'> = {
    base: {
      profile_id: base.id,
      taken_at: new Date(baseMs).toISOString(),
      in_use: growth.baseInUse,
    },
    head: {
      profile_id: head.id,
      taken_at: new Date(headMs).toISOString(),
      in_use: growth.headInUse,
    },
    seconds_between: secondsBetween,
    growth: growth.growth,
    allocated: growth.allocated ?? null,
    verdict: growth.growing.some(({ isSure }) => isSure)
      ? 'leak_likely'
      : growth.growing.length > 0
        ? 'leak_possible'
        : 'no_leak_seen',
    growing: growth.growing.map(growthOnWire),
    bursts: growth.bursts.map(growthOnWire),
    shrinking: growth.shrinking.map(growthOnWire),
    others_growth: growth.othersGrowth,
    notes: [
      samplingNote(growth.sampleBytes),
      ...(isByUpload ? ['When a profile was taken is not in every file: times of upload stand for it.'] : []),
      ...growth.warnings,
    ],
  }
  return { ...answer, report: leakReport(answer) }
})

function growthOnWire(site: SiteGrowth): Answer['growing'][number] {
  return {
    ...heapSiteOnWire(site),
    base_in_use: site.baseInUse,
    head_in_use: site.headInUse,
    growth: site.growth,
    growth_percent: site.growthPercent ?? null,
    object_growth: site.objectGrowth ?? null,
    allocated: site.allocated ?? null,
    kept_percent: site.keptShare === undefined ? null : site.keptShare * 100,
    is_sure: site.isSure,
  }
}
