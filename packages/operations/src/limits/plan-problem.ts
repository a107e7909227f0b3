import { operations, Problem } from '@flamegate/contract'

/** A refusal because of the plan, with what to do about it. */
export function planProblem(
  words: string,
  { advice, retryAfterSeconds }: { advice: string; retryAfterSeconds?: number },
): Problem {
  return new Problem(
    'plan_limit_reached',
    `${words} Nothing was done. ${advice} A larger plan has more: ask whoever runs this installation for one.`,
    {
      hint: [operations.getUsage, 'shows what the plan has, and what is used of it'],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  )
}
