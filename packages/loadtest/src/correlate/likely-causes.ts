import { variablesOf } from '../model/template-text.ts'
import type { VirtualUser } from '../model/virtual-user.ts'
import { walkActions } from '../outline/walk-actions.ts'
import type { RecordedExchanges } from './recorded-exchanges.ts'
import {
  type CorrelationSuggestion,
  type Replay,
  suggestCorrelations,
  type SuggestedUse,
} from './suggest-correlations.ts'
import { textSlots } from './text-slots.ts'

/** What a validation saw of an action; results of the interpreter have this form. */
export interface FailedCandidate {
  actionId: string
  type: string
  outcome: 'passed' | 'failed' | 'skipped'
  status: number | null
  extractors: readonly { variable: string; outcome: 'found' | 'default' | 'missing' }[]
}

/** A value that is the likely reason why an action failed. */
export interface LikelyCause {
  /** The action that failed. */
  actionId: string
  actionName: string
  kind: 'stale_value' | 'missing_variable' | 'earlier_failure'
  /** For a person: which value, what is wrong with it, and what to do. */
  words: string
  /** From 0 to 1. */
  confidence: number
  /** The suggestion that would mend it. */
  suggestionId: string | null
  variable: string | null
  /** What was sent, and what the replay's server gave instead. */
  sent: string | null
  given: string | null
}

/**
 * Says of each action that failed in a replay which value is the likely cause: one of the recording that the server would give
 * anew, or one that an earlier action should have set. The first failure is in front; those with no value of their own follow
 * from it.
 */
export async function likelyCauses(
  document: VirtualUser,
  recording: RecordedExchanges,
  results: readonly FailedCandidate[],
  replay: Replay,
): Promise<LikelyCause[]> {
  const { suggestions } = await suggestCorrelations(document, recording, [replay])
  const needed = Map.groupBy(textSlots(document), ({ action }) => action.id)
  const unset = new Map<string, string>()
  const causes: LikelyCause[] = []
  const seen = new Set<string>()
  let first: { actionId: string; name: string } | undefined
  const names = new Map([...walkActions(document)].map(({ action }) => [action.id, action.name]))
  for (const result of results) {
    const { actionId, outcome, extractors } = result
    const actionName = names.get(actionId)
    if (outcome === 'failed' && actionName !== undefined && needed.has(actionId) && !seen.has(actionId)) {
      seen.add(actionId)
      const variables = (needed.get(actionId) ?? []).flatMap(({ text }) => variablesOf(text))
      const own = [
        ...missingValues(variables, unset, names),
        ...suggestions.flatMap((suggestion) => {
          const use = suggestion.uses.find((each) => each.actionId === actionId)
          return use === undefined ? [] : [staleValue(suggestion, use)]
        }),
      ]
      if (own.length === 0 && first !== undefined) own.push(consequence(first))
      causes.push(...own.map((cause) => ({ actionId, actionName, ...cause })))
      first ??= { actionId, name: actionName }
    }
    for (const extractor of extractors)
      if (extractor.outcome === 'missing') unset.set(extractor.variable, actionId)
      else unset.delete(extractor.variable)
  }
  return causes
}

type OwnCause = Omit<LikelyCause, 'actionId' | 'actionName'>

function* missingValues(
  variables: readonly string[],
  unset: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): Generator<OwnCause> {
  for (const variable of new Set(variables)) {
    const setter = unset.get(variable)
    if (setter === undefined) continue
    yield {
      kind: 'missing_variable',
      words: `\${${variable}} has no value: “${names.get(setter)}” was to take it from its answer and did not find it. Look at that answer.`,
      confidence: 0.95,
      suggestionId: null,
      variable,
      sent: null,
      given: null,
    }
  }
}

function staleValue(
  { id, confidence, value, variable, source, replayed }: CorrelationSuggestion,
  { name }: SuggestedUse,
): OwnCause {
  const [given = null] = replayed
  const sentAs = name ?? source.name
  const now = given === null || given === value ? '' : ' The server gives another one now.'
  return {
    kind: 'stale_value',
    words: `${sentAs === '' ? 'A value' : sentAs} is sent as it was recorded; it came in the answer to “${source.actionName}”.${now} Apply the suggestion to send \${${variable}} instead.`,
    confidence,
    suggestionId: id,
    variable,
    sent: value,
    given,
  }
}

function consequence({ name }: { name: string }): OwnCause {
  return {
    kind: 'earlier_failure',
    words: `It sends no recorded value that the server gave; it probably follows from the failure of “${name}”.`,
    confidence: 0.5,
    suggestionId: null,
    variable: null,
    sent: null,
    given: null,
  }
}
