import type { BenchAction, BenchPlan } from '../ports/index.ts'

/** Names from the outermost container to the action itself; of one without a name its id. */
export function pathOf(action: BenchAction | undefined): string[] {
  return action === undefined ? [] : [...action.path, action.name === '' ? action.action_id : action.name]
}

/** A scenario names its profiles. */
export function profileName(plan: BenchPlan | undefined, profile: number): string {
  const profiles: unknown = plan?.scenario['profiles']
  const found: unknown = Array.isArray(profiles) ? profiles[profile] : undefined
  return typeof found === 'object' && found !== null && 'name' in found ? String(found.name) : ''
}
