/** The page that shows the difference of profiles, or of what two runs measured of a benchmark. */
export function comparisonLink(input: {
  base: readonly string[]
  head: readonly string[]
  benchmark?: string | undefined
  sample_type?: string | undefined
  normalize?: string | undefined
}): string {
  const query = new URLSearchParams({ base: input.base.join(','), head: input.head.join(',') })
  if (input.benchmark !== undefined) query.set('benchmark', input.benchmark)
  if (input.sample_type !== undefined) query.set('type', input.sample_type)
  if (input.normalize !== undefined) query.set('normalize', input.normalize)
  return `/profiles/compare?${query.toString()}`
}
