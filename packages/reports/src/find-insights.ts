import { changeInsights } from './insights/changes.ts'
import { driftInsights } from './insights/drift.ts'
import { errorInsights } from './insights/errors.ts'
import { generatorInsights } from './insights/generators.ts'
import { kneeInsights } from './insights/knee.ts'
import { largeAnswerInsights } from './insights/large-answers.ts'
import { lostLoadInsights } from './insights/lost-loads.ts'
import { phaseInsights } from './insights/phases.ts'
import { saturationInsights } from './insights/saturation.ts'
import { thresholdInsights } from './insights/thresholds.ts'
import { warmUpInsights } from './insights/warm-up.ts'
import { worstActionInsights } from './insights/worst-actions.ts'
import { insightLevels, type Insight } from './insight.ts'
import type { MeasuredRun } from './measured-run.ts'

export interface InsightOptions {
  apdexTargetMs: number
  /** What it is compared with. */
  baseline?: MeasuredRun | undefined
}

/** What the numbers of a run mean, the worst first. Of a run of which nothing was measured there is nothing to say. */
export function findInsights(run: MeasuredRun, { baseline, apdexTargetMs }: InsightOptions): Insight[] {
  const insights = [
    ...generatorInsights(run),
    ...lostLoadInsights(run),
    ...thresholdInsights(run),
    ...errorInsights(run),
    ...saturationInsights(run),
    ...kneeInsights(run),
    ...(baseline === undefined ? [] : changeInsights(baseline, run, apdexTargetMs)),
    ...worstActionInsights(run),
    ...phaseInsights(run),
    ...driftInsights(run),
    ...warmUpInsights(run),
    ...largeAnswerInsights(run),
  ]
  return insights.toSorted((a, b) => insightLevels.indexOf(b.level) - insightLevels.indexOf(a.level))
}
