/**
 * Above one of these a generator measures itself more than what it puts under load. Of one core, and milliseconds; the same as
 * agents go by when they say of themselves that they are at their limit.
 */
export const generatorLimits = { cpu_share: 0.9, event_loop_delay_max: 100, send_lag_max: 100 } as const
export type GeneratorLimit = keyof typeof generatorLimits

export function isGeneratorLimit(metric: string): metric is GeneratorLimit {
  return metric in generatorLimits
}
