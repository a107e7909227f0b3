import { operations, Problem } from '@flamegate/contract'
import type { InputOf } from '@flamegate/contract'
import {
  correlationFrameworks,
  parseDocument,
  walkActions,
  ruleFault,
  type Correlated,
  type CorrelationRule,
  type VirtualUser,
} from '@flamegate/loadtest'
import { writeDesign } from '../design/write-design.ts'
import { implement, type CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { summaryOf } from '../virtual-users/summary.ts'
import { readVirtualUser } from './reaching.ts'
import { askOfRecording } from './suggest-correlations.ts'

type Input = InputOf<typeof operations.applyCorrelationsToVirtualUser>

export const applyCorrelationsToVirtualUser = implement(operations.applyCorrelationsToVirtualUser)(async (
  input,
  context,
) => {
  const found = await readVirtualUser(context, input.virtual_user_id)
  const { object } = found
  const { correlated, words, notes } = await correlate(input, context, found)
  const update = { document: correlated.document, summary: summaryOf(correlated.document) }
  const isWritten = !input.dry_run && correlated.applied.length > 0
  const { version } = isWritten
    ? await writeDesign(context, object, update, { ifVersion: input.if_version, words })
    : object
  const names = new Map([...walkActions(correlated.document)].map(({ action }) => [action.id, action.name]))
  return {
    virtual_user_id: object.id,
    version,
    previous_version: object.version,
    applied: correlated.applied.map(({ variable, actionId, value, replacements }) => ({
      variable,
      extractor_action_id: actionId,
      extractor_action_name: names.get(actionId) ?? '',
      recorded_value: value,
      replaced: replacements.length,
    })),
    notes,
  }
})

async function correlate(
  input: Input,
  context: CallContext,
  found: { object: DesignObject; document: VirtualUser },
): Promise<{ correlated: Correlated; words: string; notes: string[] }> {
  const wanted = input.suggestion_ids ?? []
  const chosen = [
    wanted.length > 0 || input.all_suggestions,
    input.framework !== undefined,
    input.project_rules,
  ]
  if (chosen.filter(Boolean).length !== 1) {
    throw new Problem(
      'invalid_input',
      'Give one of suggestion_ids, all_suggestions, framework and project_rules.',
      { errors: [{ field: 'suggestion_ids', message: 'One of them, and not several.' }] },
    )
  }
  if (input.framework === undefined && !input.project_rules) {
    const ids = input.all_suggestions ? null : wanted
    const { missing, ...correlated } = await askOfRecording(
      context,
      found,
      'applied_suggestions',
      (taken) => ({
        taken,
        ids,
        confidenceMin: input.min_confidence,
      }),
    )
    return {
      correlated,
      words: 'Applied suggested correlations',
      notes: missing.length === 0 ? [] : [`These are suggested no longer: ${missing.join(', ')}.`],
    }
  }
  const all =
    input.framework === undefined
      ? await projectRules(context, found.object)
      : frameworkRules(input.framework)
  const rules = all.filter((rule) => ruleFault(rule) === undefined)
  return {
    correlated: await askOfRecording(context, found, 'applied_rules', (taken) => ({ taken, rules })),
    words:
      input.framework === undefined
        ? 'Applied the rules of the project'
        : `Applied the rules of ${input.framework}`,
    notes: [
      ...(all.length === 0 ? ['There is no enabled rule.'] : []),
      // Archives may bring them.
      ...all.flatMap((rule) => {
        const fault = ruleFault(rule)
        return fault === undefined ? [] : [`The rule ${rule.name} was left out. ${fault}`]
      }),
    ],
  }
}

async function projectRules(
  { caller, deps }: CallContext,
  { projectId }: DesignObject,
): Promise<CorrelationRule[]> {
  const objects = await deps.stores.designs.listDocuments(caller, projectId, 'correlation_rule')
  return objects
    .map(({ document }) => parseDocument('correlation_rule', document))
    .filter(({ enabled }) => enabled)
}

function frameworkRules(id: string): CorrelationRule[] {
  const framework = correlationFrameworks.find((each) => each.id === id)
  if (framework === undefined) {
    throw new Problem('invalid_input', `There is no framework ${id}.`, {
      errors: [{ field: 'framework', message: correlationFrameworks.map((each) => each.id).join(', ') }],
      hint: [operations.listCorrelationRules, 'shows them'],
    })
  }
  return framework.rules
}
