// Made once: to make a format takes a hundred times as long as to use it.
const threeDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

/** `+12.3 %`, `−4.8 %`, `±0.0 %`; from 1000 % on as a factor, which is easier to read: `×14.2`. */
export function formatPercent(percent: number): string {
  if (percent >= 1000) {
    return `×${threeDigits.format(percent / 100 + 1)}`
  }
  // What rounds to nothing has no sign of its own.
  const size = Math.abs(percent).toFixed(1)
  const sign = size === '0.0' ? '±' : percent > 0 ? '+' : '−'
  return `${sign}${size} %`
}

/** A share without a sign, with two digits: `0.8 %` for 0.008, `12 %` for 0.12. */
export function formatNoise(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`
}
