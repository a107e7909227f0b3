import { callerLimits, operations, Problem, type LimitName } from '@flamegate/contract'
import type { Claim, Verdict } from '../ports/index.ts'

/** Whose limit it is, and how to need less of it. */
const words: Readonly<Record<LimitName, { what: string; advice: string }>> = {
  workspace: {
    what: 'the calls about this workspace, by everybody together',
    advice: 'Others work in it too: spread calls over time, and ask for more per call (limit, filters).',
  },
  user: {
    what: 'your calls, through all your clients together',
    advice: 'Run fewer agents at once, and ask for more per call (limit, filters).',
  },
  client: {
    what: 'the calls through this client',
    advice: 'Keep answers instead of asking again, and ask for more per call (limit, filters).',
  },
  tool: {
    what: 'your calls of this tool',
    advice:
      'Ask for more per call (limit, filters), wait longer between looks at something unfinished, and keep answers.',
  },
  agents: {
    what: 'the calls of your agents of load and monitoring, with all tokens together',
    advice: 'Run fewer agents at once.',
  },
  'live-pushes': {
    what: 'pushes with this token',
    advice: 'Push once a second, or give each process a token of its own.',
  },
  'live-values': {
    what: 'log entries and items of this live app',
    advice: 'Measure less, or only one of many.',
  },
  'client-concurrency': {
    what: 'calls of this client that run at the same time',
    advice: 'Wait for answers before you send more, and keep a few calls in flight at most.',
  },
  'workspace-concurrency': {
    what: 'calls about this workspace that run at the same time',
    advice: 'Wait for answers before you send more; others work in it too.',
  },
  'client-waiting': {
    what: 'agents and collectors that wait for work with this token',
    advice: 'Give some of them a token of their own.',
  },
  'workspace-waiting': {
    what: 'agents and collectors of this workspace that wait for work',
    advice: 'Run fewer of them at once.',
  },
}

/** The refusal in words that a model can act on: which limit, when to retry, how to need fewer calls. */
export function limitProblem(claim: Claim, refusedBy: LimitName, verdict: Verdict): Problem {
  const { what, advice } = words[refusedBy]
  const retryAfterSeconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000))
  return new Problem(
    'rate_limited',
    `The limit "${refusedBy}" is reached: ${what}, ${allowance(claim, refusedBy)}. Nothing was done. ` +
      `Retry in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}. ${advice}`,
    {
      retryAfterSeconds,
      limits: verdict.limits,
      callerLimit: callerLimits.find((each) => each === refusedBy),
      hint: [operations.getUsage, 'shows all limits'],
    },
  )
}

function allowance({ buckets, slots }: Claim, refusedBy: LimitName): string {
  const bucket = buckets.find(({ name }) => name === refusedBy)
  if (bucket !== undefined) {
    return `${Math.round(bucket.perSecond * 60)} a minute, ${bucket.capacity} at most in a row (a write counts as 2)`
  }
  return `${slots.find(({ name }) => name === refusedBy)?.most} at most`
}
