import { oklch } from './oklch.ts'

/** Where a function comes from, as far as its colour goes. */
export type OriginFamily = 'user' | 'package' | 'standard' | 'runtime' | 'kernel' | 'unknown'

interface Hue {
  /** Middle of the family's hues in OKLCH, in degrees, and how far names spread to either side. */
  middle: number
  spread: number
  chroma: number
}

/** Also where no origin is told, but names alone. */
const hues: Readonly<Record<OriginFamily | 'any', Hue>> = {
  user: { middle: 58, spread: 22, chroma: 0.12 },
  package: { middle: 255, spread: 18, chroma: 0.085 },
  standard: { middle: 175, spread: 16, chroma: 0.075 },
  runtime: { middle: 315, spread: 14, chroma: 0.08 },
  kernel: { middle: 15, spread: 10, chroma: 0.1 },
  unknown: { middle: 85, spread: 35, chroma: 0.04 },
  any: { middle: 180, spread: 180, chroma: 0.08 },
}

export const originFamilies: Readonly<Record<OriginFamily, string>> = {
  user: 'User code',
  package: 'Packages',
  standard: 'Standard library',
  runtime: 'Runtime',
  kernel: 'Kernel',
  unknown: 'Unknown',
}

/** The family of an origin as the API names it; a package comes as `name@version`. */
export function familyOf(origin: string): OriginFamily {
  switch (origin) {
    case 'User code':
      return 'user'
    case 'Standard library':
      return 'standard'
    case 'Runtime':
      return 'runtime'
    case 'Kernel':
      return 'kernel'
    case 'Unknown':
    case '':
      return 'unknown'
    default:
      return 'package'
  }
}

/**
 * A CSS colour for a function: the hue by where it comes from, shifted a little by its name, so that it looks the
 * same in every profile; of `any` family, the hue is by its name alone. Bright on a light page and deep on a dark one; `frameTextColor` is readable on both.
 */
export function frameColor(name: string, family: OriginFamily | 'any', isDark: boolean): string {
  const { middle, spread, chroma } = hues[family]
  const hash = hashName(name)
  const hue = middle + (((hash & 0xff) / 255) * 2 - 1) * spread
  const shade = (((hash >> 8) & 0xff) / 255) * 2 - 1
  const lightness = isDark ? 0.42 + shade * 0.035 : 0.84 + shade * 0.035
  return oklch(lightness, chroma, hue)
}

export function frameTextColor(isDark: boolean): string {
  return isDark ? '#f7f4ef' : '#1d1b18'
}

/** The FNV-1a hash, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashName(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
