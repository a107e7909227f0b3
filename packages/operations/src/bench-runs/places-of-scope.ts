import type { ThresholdScope } from '@flamegate/loadtest'
import type { BenchPlan } from '../ports/index.ts'

/** Places of profiles or actions in a plan; neither: all of them. An empty list: the plan has none that is meant. */
export interface Places {
  profiles?: number[]
  actions?: number[]
}

/** What a scope means in a plan. */
export function placesOf(scope: ThresholdScope, { scenario, actions }: BenchPlan): Places {
  const whereAction = (isMeant: (action: BenchPlan['actions'][number]) => boolean): Places => ({
    actions: actions.flatMap((action, place) => (isMeant(action) ? [place] : [])),
  })
  switch (scope.type) {
    case 'whole':
      return {}
    case 'profile':
      return {
        profiles: profileIds(scenario).flatMap((id, place) => (id === scope.profile_id ? [place] : [])),
      }
    case 'container':
      return whereAction(({ type, name }) => type === 'container' && name === scope.name)
    default:
      return whereAction(({ action_id: id }) => id === scope.action_id)
  }
}

/** Whether a plan has nothing of what is meant. */
export function isNowhere({ profiles, actions }: Places): boolean {
  return profiles?.length === 0 || actions?.length === 0
}

/** What was imported has no scenario. */
function profileIds({ profiles }: Record<string, unknown>): unknown[] {
  return Array.isArray(profiles) ? profiles.map((profile: { id?: unknown }) => profile.id) : []
}
