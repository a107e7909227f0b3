import { distributionOf, webVitalNames, type Measured } from '@flamegate/loadtest'
import type { Reading } from '../implement.ts'
import type { BenchAction, BenchPlan, BenchResult, StoredPageLoad } from '../ports/index.ts'
import { isNowhere, type Places } from './places-of-scope.ts'

/** What users with a browser loaded at these places of a run, in these of its seconds. */
export async function pageLoadsAt(
  { caller, deps }: Reading,
  run: Pick<BenchResult, 'id'>,
  { actions }: Pick<BenchPlan, 'actions'>,
  places: Places,
  seconds: { from: number; to: number },
): Promise<StoredPageLoad[]> {
  if (isNowhere(places)) return []
  const within = places.actions?.flatMap((place) => [place, ...placesIn(place, actions)])
  return deps.stores.pageLoads.list(caller, run.id, { ...seconds, ...places, actions: within })
}

/** Pages are loaded by actions: those of a container are in it. */
function placesIn(place: number, actions: readonly BenchAction[]): number[] {
  const container = actions[place]
  if (container?.type !== 'container') return []
  const path = [...container.path, container.name]
  return actions.flatMap(({ profile, path: own }, index) =>
    index > place && profile === container.profile && path.every((name, depth) => own[depth] === name)
      ? [index]
      : [],
  )
}

/** Web vitals, as thresholds and bands look at them. */
export function vitalDistributions(loads: readonly StoredPageLoad[]): Measured['distributions'] {
  return Object.fromEntries(
    webVitalNames.flatMap((vital) => {
      const distribution = distributionOf(loads.flatMap((load) => load[vital] ?? []))
      return distribution === undefined ? [] : [[vital, distribution]]
    }),
  )
}
