/** `+12.3 %`, `−4.8 %`, `+0.0 %`; from 1000 % on as a factor is easier to read: `×14.2`. */
export function formatPercent(percent: number): string {
  if (percent >= 1000) return `×${(percent / 100 + 1).toPrecision(3)}`
  // A fall that rounds to nothing has no sign of its own.
  const rounded = percent.toFixed(1).replace(/^-0\.0$/, '0.0')
  return `${rounded.startsWith('-') ? '−' : '+'}${rounded.replace('-', '')} %`
}

/** A share without a sign, with two digits: `0.8 %` for 0.008, `12 %` for 0.12. */
export function formatNoise(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`
}
