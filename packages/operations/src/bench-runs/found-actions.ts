import { createHash } from 'node:crypto'
import { type InputOf, type operations, Problem } from '@flamegate/contract'
import { scenario as scenarioSchema } from '@flamegate/loadtest'
import type { BenchAction } from '../ports/index.ts'

type Declared = InputOf<typeof operations.declareBenchActions>['actions'][number]

/** Actions of a run; what has more of them has ids in its names. */
const actionsMax = 2000
const otherName = '(other names)'

/** Actions that agents found while a run goes on, among those that the run has. */
export interface FoundActions {
  /** Those that are not there yet; all that are too many are one together. */
  missingIn: (known: readonly BenchAction[]) => BenchAction[]
  /** Where each of them is, once nothing is missing. */
  placesIn: (known: readonly BenchAction[]) => number[]
}

/** @throws Problem `invalid_input` naming the profile that is none */
export function foundActions(
  scenario: Readonly<Record<string, unknown>>,
  declared: readonly Declared[],
): FoundActions {
  const { profiles } = scenarioSchema.parse(scenario)
  const wanted = declared.map(({ profile, type, name, path }, index) => {
    const id = profiles[profile]?.id
    if (id === undefined)
      throw new Problem(
        'invalid_input',
        `actions.${index}.profile: The scenario has no profile ${profile}.`,
        {
          errors: [{ field: `actions.${index}.profile`, message: `There is no profile ${profile}.` }],
        },
      )
    const as = (to: string, within: string[]): BenchAction => ({
      profile,
      action_id: actionId([id, type, ...within, to]),
      type,
      name: to,
      path: within,
    })
    return { action: as(name, path), other: as(otherName, []) }
  })
  return {
    missingIn: (known) => {
      const ids = new Set(known.map(({ action_id: id }) => id))
      const missing: BenchAction[] = []
      for (const { action, other } of wanted) {
        if (ids.has(action.action_id)) continue
        const added = known.length + missing.length < actionsMax ? action : other
        if (ids.has(added.action_id)) continue
        ids.add(added.action_id)
        missing.push(added)
      }
      return missing
    },
    placesIn: (known) => {
      const places = new Map(known.map(({ action_id: id }, place) => [id, place]))
      return wanted.map(
        ({ action, other }) => places.get(action.action_id) ?? places.get(other.action_id) ?? 0,
      )
    },
  }
}

/** The same in every run, so that thresholds, trends and comparisons find it again. */
function actionId(words: readonly string[]): string {
  return `found_${createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 20)}`
}
