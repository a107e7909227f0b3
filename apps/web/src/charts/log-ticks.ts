const fewest = 4
const most = 9

/**
 * Round values between the ends of a logarithmic axis: 1, 2 and 5 of every decade, only the decades when those are too
 * many, and even steps when they are too few. Both ends are above zero.
 */
export function logTicks(low: number, high: number): number[] {
  const decades = range(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)))
  const within = (values: number[]) => values.filter((value) => value >= low && value <= high)
  const fine = within(decades.flatMap((exponent) => [1, 2, 5].map((digit) => digit * 10 ** exponent)))
  if (fine.length < fewest) return evenTicks(low, high)
  if (fine.length <= most) return fine
  const every = Math.ceil(decades.length / most)
  return within(decades.filter((_, index) => index % every === 0).map((exponent) => 10 ** exponent))
}

/** Round values at even steps of 1, 2 or 5 times a power of ten. */
export function evenTicks(low: number, high: number): number[] {
  const rough = (high - low) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5].find((digit) => digit * power >= rough) ?? 10) * power
  return range(Math.ceil(low / step), Math.floor(high / step)).map((count) =>
    Number((count * step).toPrecision(12)),
  )
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}
