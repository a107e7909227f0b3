/** In how many ways `count` of `all` can be taken. */
export function choices(all: number, count: number): number {
  let ways = 1
  for (let at = 1; at <= count; at += 1) ways *= (all - count + at) / at
  return ways
}
