const WIDTH = 800
const HEIGHT = 180
const LEFT = 56
const BOTTOM = 24
const TOP = 10

/** The calls that were answered in each second, as a line; empty for fewer than two seconds. */
export function throughputChart(perSecond: readonly number[]): string {
  if (perSecond.length < 2) return ''
  const highest = Math.max(1, ...perSecond)
  const x = (second: number) => LEFT + (second * (WIDTH - LEFT - 8)) / (perSecond.length - 1)
  const y = (value: number) => TOP + (1 - value / highest) * (HEIGHT - BOTTOM - TOP)
  const points = perSecond.map((value, second) => `${x(second).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  const label = (at: number, text: string) =>
    `<text x="${LEFT - 8}" y="${at + 4}" text-anchor="end" font-size="12" fill="currentColor">${text}</text>`
  return `<h2>Answers per second</h2>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="Answers in each of ${perSecond.length} seconds, at most ${highest}">
<path d="M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - 8}" fill="none" stroke="currentColor" stroke-opacity=".4"/>
<polyline points="${points}" fill="none" stroke="#4661d8" stroke-width="2"/>
${label(y(highest), highest.toLocaleString('en-US'))}${label(y(0), '0')}
<text x="${LEFT}" y="${HEIGHT - 6}" font-size="12" fill="currentColor">0 s</text>
<text x="${WIDTH - 8}" y="${HEIGHT - 6}" text-anchor="end" font-size="12" fill="currentColor">${perSecond.length} s</text>
</svg>`
}
