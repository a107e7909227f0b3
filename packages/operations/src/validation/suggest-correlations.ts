import { operations } from '@flamegate/contract'
import type { VirtualUser } from '@flamegate/loadtest'
import { implement, type CallContext } from '../implement.ts'
import type {
  CorrelationAnswer,
  CorrelationQuestion,
  CorrelationQuestionName,
  DesignObject,
} from '../ports/index.ts'
import { getRecording, readVirtualUser } from './reaching.ts'
import { recordingFile } from './recordings.ts'
import { replayOf } from './replays.ts'

/** Two replays tell what changes from one to the next. */
const replaysMax = 2

export const suggestCorrelations = implement(operations.suggestCorrelations)(async (input, context) => {
  const found = await readVirtualUser(context, input.virtual_user_id)
  const { object } = found
  const { suggestions, cookies } = await askOfRecording(context, found, 'suggestions', (taken) => ({ taken }))
  const fitting = suggestions.filter(({ confidence }) => confidence >= input.min_confidence)
  return {
    virtual_user_id: object.id,
    version: object.version,
    suggestions: fitting.slice(0, input.limit).map((suggestion) => ({
      id: suggestion.id,
      variable: suggestion.variable,
      confidence: suggestion.confidence,
      why: suggestion.reasons.join(' '),
      recorded_value: suggestion.value,
      replayed_values: suggestion.replayed.filter((value) => value !== null),
      extractor: { ...suggestion.finder },
      source: {
        action_id: suggestion.source.actionId,
        name: suggestion.source.actionName,
        where: `${suggestion.source.kind.replaceAll('_', ' ')} ${suggestion.source.name}`.trim(),
        snippet: suggestion.source.snippet,
      },
      uses: suggestion.uses.map(({ actionId, actionName, target, name, snippet }) => ({
        action_id: actionId,
        name: actionName,
        where: name === null ? target : `${target} ${name}`,
        snippet,
      })),
    })),
    notes: [
      ...(fitting.length > input.limit ? [`${fitting.length - input.limit} more are less sure.`] : []),
      ...(cookies.length > 0
        ? [
            `Cookies are kept as a browser keeps them, and need nothing: ${cookies.map(({ name }) => name).join(', ')}.`,
          ]
        : []),
    ],
  }
})

/** Asks for dynamic values of a virtual user, as its recording and its last validations show them. @throws Problem `no_recording` */
export async function askOfRecording<Name extends CorrelationQuestionName>(
  context: CallContext,
  { object, document }: { object: DesignObject; document: VirtualUser },
  name: Name,
  paramsOf: (taken: readonly string[]) => CorrelationQuestion<Name, unknown>['params'],
): Promise<CorrelationAnswer<Name>> {
  const { caller, deps } = context
  const recording = await getRecording(context, document, object.projectId)
  const validations = await deps.stores.validations.listWhole(caller, object.id, replaysMax)
  const replays = await Promise.all(validations.map((validation) => replayOf(deps, caller, validation)))
  return deps.correlating.ask({
    name,
    params: paramsOf(await takenNames(context, object.projectId)),
    document,
    recording: recordingFile(deps.storage, recording),
    replays: replays.filter((replay) => replay !== undefined),
  })
}

/** Names of the project's variables, so that no extractor sets one of them. */
async function takenNames({ caller, deps }: CallContext, projectId: string): Promise<string[]> {
  const variables = await deps.stores.designs.listDocuments(caller, projectId, 'variable')
  return variables.map(({ name }) => name)
}
