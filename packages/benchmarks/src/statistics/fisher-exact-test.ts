import { choices } from './choices.ts'

/** Fisher's exact test, two-sided, that two samples have the same share of something. */
export function equalSharesP(inOne: number, one: number, inOther: number, other: number): number {
  const all = inOne + inOther
  const waysOf = (count: number) => choices(one, count) * choices(other, all - count)
  const seen = waysOf(inOne)
  let [asRare, total] = [0, 0]
  for (let count = Math.max(0, all - other); count <= Math.min(one, all); count += 1) {
    const ways = waysOf(count)
    total += ways
    if (ways <= seen * (1 + 1e-9)) asRare += ways
  }
  return asRare / total
}
