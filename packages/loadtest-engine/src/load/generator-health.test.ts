import { generatorGauges } from '@flamegate/series'
import type { GeneratorGauge } from '@flamegate/series'
import { expect, test } from 'vitest'
import { generatorLimits } from './generator-health.ts'

const gauges = (values: Partial<Record<GeneratorGauge, number>>) =>
  Float64Array.from(generatorGauges, (gauge) => values[gauge] ?? 0)

test.each<[Partial<Record<GeneratorGauge, number>>, GeneratorGauge[]]>([
  [{ cpu_permille: 900, event_loop_delay_max_us: 100_000, send_lag_max_us: 100_000, connections: 1e6 }, []],
  [{ cpu_permille: 901 }, ['cpu_permille']],
  [
    { event_loop_delay_max_us: 100_001, send_lag_max_us: 200_000 },
    ['event_loop_delay_max_us', 'send_lag_max_us'],
  ],
])('%j: limited by %j', (values, limits) => {
  expect(generatorLimits(gauges(values))).toEqual(limits)
})
