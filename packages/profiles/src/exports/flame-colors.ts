interface Hues {
  /** What the family is called in the legend, if it says anything. */
  label?: string
  /** Of its hues in OKLCH, in degrees, and how far they spread to either side. */
  middle: number
  spread: number
  chroma: number
  shades: number
}
type OriginFamily = 'user' | 'package' | 'standard' | 'runtime' | 'kernel' | 'unknown'

/** Where a function comes from, as far as its colour goes; the same families and hues as on the web pages. */
const hues: Readonly<Record<OriginFamily | 'any', Hues>> = {
  user: { label: 'User code', middle: 58, spread: 22, chroma: 0.12, shades: 8 },
  package: { label: 'Packages', middle: 255, spread: 18, chroma: 0.085, shades: 8 },
  standard: { label: 'Standard library', middle: 175, spread: 16, chroma: 0.075, shades: 8 },
  runtime: { label: 'Runtime', middle: 315, spread: 14, chroma: 0.08, shades: 8 },
  kernel: { label: 'Kernel', middle: 15, spread: 10, chroma: 0.1, shades: 8 },
  unknown: { label: 'Unknown', middle: 85, spread: 35, chroma: 0.04, shades: 8 },
  // All around the circle, without the last step, which would be the first hue again.
  any: { middle: 172.5, spread: 172.5, chroma: 0.08, shades: 24 },
}
const familyOf: Readonly<Record<string, OriginFamily>> = {
  'User code': 'user',
  'Standard library': 'standard',
  Runtime: 'runtime',
  Kernel: 'kernel',
  Unknown: 'unknown',
}
/** How strongly a difference is coloured: from hardly to new or gone. */
const steps = [1, 2, 3, 4] as const

/** The class of a function's box: by where it comes from, and the shade by its name, so that it is always the same. */
export function originClass(name: string, origin: string): string {
  return shadeOf(Object.hasOwn(familyOf, origin) ? familyOf[origin]! : 'package', name)
}

/** The class of a box that comes from nowhere: by its name alone. */
export function nameClass(name: string): string {
  return shadeOf('any', name)
}

function shadeOf(family: OriginFamily | 'any', name: string): string {
  return `${prefixOf(family)}${hashName(name) % hues[family].shades}`
}

/** The class of a box by what it had before and has now: `more1` to `more4`, `less1` to `less4`, or `same`. */
export function differenceClass(before: number, now: number): string {
  const share = (now - before) / (Math.abs(now) + Math.abs(before) || 1)
  if (Math.abs(share) < 0.01) return 'same'
  return `${share > 0 ? 'more' : 'less'}${Math.ceil(Math.sqrt(Math.abs(share)) * steps.length)}`
}

/** Short, because it stands at every box. */
function prefixOf(family: string): string {
  return family.slice(0, 2)
}

/** Rules for the classes, in one of the two colour schemes. As sRGB, because many programs that show SVG know no other. */
export function colorRules(classes: ReadonlySet<string>, isDark: boolean): string {
  return [...allColors(isDark)]
    .filter(([name]) => classes.has(name))
    .map(([name, color]) => `.${name}>rect{fill:${color}}`)
    .join('')
}

/** The colour of a class on light ground, as `#rrggbb`. */
export function colorOf(name: string): string {
  return lightColors.get(name)!
}

/** What the colours of these classes mean, each with the class that shows it. */
export function legendOf(classes: ReadonlySet<string>): { label: string; example: string }[] {
  // What changed most comes first.
  const names = [...classes].toSorted().toReversed()
  const families = Object.entries(hues).flatMap(([family, { label }]) =>
    label === undefined ? [] : [{ label, start: prefixOf(family) }],
  )
  const changes = [
    { label: 'More than before', start: 'more' },
    { label: 'Less', start: 'less' },
  ]
  return [...families, ...changes].flatMap(({ label, start }) => {
    const example = names.find((name) => name.startsWith(start))
    return example === undefined ? [] : [{ label, example }]
  })
}

function* allColors(isDark: boolean): Generator<[name: string, color: string]> {
  for (const [family, { middle, spread, chroma, shades }] of Object.entries(hues)) {
    for (let shade = 0; shade < shades; shade++) {
      const place = (shade / (shades - 1)) * 2 - 1
      // Neighbouring hues are of different lightness.
      const lightness = (isDark ? 0.42 : 0.84) + (shade % 2 === 0 ? 0.03 : -0.03)
      yield [`${prefixOf(family)}${shade}`, toHex(lightness, chroma, middle + place * spread)]
    }
  }
  yield ['same', isDark ? '#45423d' : '#e6e2db']
  for (const step of steps) {
    const lightness = isDark ? 0.36 + step * 0.035 : 0.92 - step * 0.06
    yield [`more${step}`, toHex(lightness, 0.03 + step * 0.035, 28)]
    yield [`less${step}`, toHex(lightness, 0.02 + step * 0.03, 255)]
  }
}

const lightColors = new Map(allColors(false))

/** OKLCH as `#rrggbb`: https://bottosson.github.io/posts/oklab/ */
function toHex(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return `#${linear.map((value) => byteOf(value).toString(16).padStart(2, '0')).join('')}`
}

function byteOf(linear: number): number {
  const inGamut = Math.max(0, Math.min(1, linear))
  const encoded = inGamut <= 0.0031308 ? 12.92 * inGamut : 1.055 * inGamut ** (1 / 2.4) - 0.055
  return Math.round(encoded * 255)
}

/** The FNV-1a hash, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashName(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++)
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
