import { randomNumbers } from './random.ts'

/** Runs around their levels: each `[runs, level]` in turn, with normal noise of so many per cent. */
export function noisySeries(
  levels: readonly (readonly [runs: number, level: number])[],
  { noisePercent = 2, seed = 1 }: { noisePercent?: number; seed?: number } = {},
): number[] {
  const random = randomNumbers(seed * 7919 + 13)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return levels.flatMap(([runs, level]) =>
    Array.from({ length: runs }, () => level * (1 + (noisePercent / 100) * normal())),
  )
}
