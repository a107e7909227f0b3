import { costOf, type LimitState, type Principal } from '@flamegate/contract'
import type { Bucket, Claim, Plan, PlanStore, Slots } from '../ports/index.ts'
import {
  callerBuckets,
  clientSlots,
  isOfAgents,
  isPush,
  workspaceBuckets,
  workspaceSlots,
  type CallLimits,
  type CountedCall,
} from './call-limits.ts'
import { limitProblem } from './limit-problem.ts'

/** What one call takes of its limits. Where a limiter answers at once, nothing here is a promise. */
export interface Admission {
  /**
   * Before anything else: the person, the client and the tool, or what agents may call.
   * @throws Problem `rate_limited`
   */
  enter: () => Promise<void> | undefined
  /**
   * As soon as the workspace is known, and before anything is done to it; a second time for the same one is free.
   * @throws Problem `rate_limited`
   */
  enterWorkspace: (workspaceId: string) => Promise<void> | undefined
  /** When the call has ended, however it did. */
  leave: () => void
  /** Whether it was refused by a limit that had told the same caller to wait for longer than they did. */
  wasToldBefore: () => boolean
}

const unlimited: Admission = {
  enter: () => undefined,
  enterWorkspace: () => undefined,
  leave: () => undefined,
  wasToldBefore: () => false,
}

/** `note` is told how the limits stand after every claim. */
export function admission(
  { limits, plans }: { limits: CallLimits | undefined; plans: PlanStore },
  operation: CountedCall,
  principal: Principal,
  note: ((states: readonly LimitState[]) => void) | undefined,
): Admission {
  // The tool that it calls is counted as that tool.
  if (limits === undefined || operation.id === 'call_tool') return unlimited
  const { limiter, factor } = limits
  const cost = costOf(operation)
  const lease = crypto.randomUUID()
  const granted: Claim[] = []
  let workspaceEntered: string | undefined
  let wasToldBefore = false

  function take(buckets: Bucket[], slots: Slots[]): Promise<void> | undefined {
    const claim: Claim = { lease, cost, buckets, slots }
    const verdict = limiter.take(claim)
    return verdict instanceof Promise ? verdict.then((late) => judge(claim, late)) : judge(claim, verdict)
  }

  function judge(claim: Claim, verdict: Awaited<ReturnType<typeof limiter.take>>): undefined {
    if (verdict.refusedBy !== undefined) {
      wasToldBefore = verdict.wasToldBefore === true
      throw limitProblem(claim, verdict.refusedBy, verdict)
    }
    granted.push(claim)
    note?.(verdict.limits)
  }

  return {
    enter: () => take(callerBuckets(principal, operation, factor), clientSlots(principal, operation, factor)),
    enterWorkspace(workspaceId) {
      if (workspaceId === workspaceEntered || isPush(operation.id)) return undefined
      workspaceEntered = workspaceId
      const slots = workspaceSlots(workspaceId, operation, factor)
      if (isOfAgents(operation, principal)) return take([], slots)
      const takeBy = ({ limits: { calls_per_minute: perMinute } }: Plan) =>
        take(workspaceBuckets(workspaceId, perMinute, factor), slots)
      const plan = plans.ofWorkspace(workspaceId)
      return plan instanceof Promise ? plan.then(takeBy) : takeBy(plan)
    },
    leave() {
      for (const claim of granted) limiter.release(claim)
    },
    wasToldBefore: () => wasToldBefore,
  }
}
