import { operations } from '@flamegate/contract'
import { distributionBars, percentileCurve } from '@flamegate/series'
import { implement } from '../implement.ts'
import { errorsOf, measureActions, rowOf } from './measured-actions.ts'
import { pathOf } from './names-in-plan.ts'
import { getBenchRun } from './reaching.ts'

const samplesMax = 200
const barsMax = 60

export const getBenchTable = implement(operations.getBenchTable)(async (input, context) => {
  const run = await getBenchRun(context, input.bench_result_id)
  const measured = await measureActions(context, run, {
    fromSecond: input.from_second,
    toSecond: input.to_second ?? null,
  })
  const { plan, total, actions } = measured
  const samples = await context.deps.stores.benchRuns.listSamples(context.caller, run.id, samplesMax)
  return {
    bench_result_id: run.id,
    project_id: run.projectId,
    total: total === undefined ? null : rowOf({ action: null, bucket: total }, measured),
    rows: actions.map((each) => rowOf(each, measured)),
    errors: errorsOf(measured),
    samples: samples.map(({ id, action, errorClass, message, at, exchange }) => ({
      id,
      action,
      name: pathOf(plan?.actions[action]).join(' / '),
      error_class: errorClass,
      message,
      at: at.toISOString(),
      exchange,
    })),
    percentiles:
      total === undefined
        ? []
        : percentileCurve(total.responseTime).map(({ percent, valueUs }) => ({
            percentile: percent,
            ms: valueUs / 1000,
          })),
    distribution:
      total === undefined
        ? []
        : distributionBars(total.responseTime, barsMax).map(({ fromUs, toUs, count }) => ({
            from_ms: fromUs / 1000,
            to_ms: toUs / 1000,
            count,
          })),
  }
})
