import { newId } from '@flamegate/contract/id'
import {
  applyRules,
  applySuggestions,
  likelyCauses,
  readExchange,
  suggestCorrelations,
  type RecordedExchanges,
  type Replay,
} from '@flamegate/loadtest/correlating'
import type {
  CorrelationAnswer,
  CorrelationQuestion,
  CorrelationQuestionName,
  ExchangeFile,
  ReplayFile,
} from '../ports/correlating.ts'

type Answers = {
  [Name in CorrelationQuestionName]: (
    question: CorrelationQuestion<Name, Uint8Array>,
  ) => Promise<CorrelationAnswer<Name>>
}

const actionId = () => newId('action')

const answers: Answers = {
  suggestions: ({ document, recording, replays, params }) =>
    suggestCorrelations(document, exchangesOf(recording), replays.map(replayOf), params.taken),

  async applied_suggestions({ params: { taken, ids, confidenceMin }, ...of }) {
    const { suggestions } = await answers.suggestions({ ...of, name: 'suggestions', params: { taken } })
    const fitting = suggestions.filter(({ id, confidence }) =>
      ids === null ? confidence >= confidenceMin : ids.includes(id),
    )
    return {
      ...applySuggestions(of.document, fitting, { newId: actionId, taken }),
      missing: (ids ?? []).filter((id) => !suggestions.some((suggestion) => suggestion.id === id)),
    }
  },

  applied_rules: ({ document, recording, params: { rules, taken } }) =>
    applyRules(document, rules, exchangesOf(recording), { newId: actionId, taken }),

  async likely_causes({ document, recording, replays: [replay], params }) {
    if (replay === undefined) return []
    return likelyCauses(document, exchangesOf(recording), params.results, replayOf(replay))
  },
}

/** Answers a question whose files were read. It may take for ever: to be asked where it can be ended from outside. */
export function answerCorrelation<Name extends CorrelationQuestionName>(
  question: CorrelationQuestion<Name, Uint8Array>,
): Promise<CorrelationAnswer<Name>> {
  return answers[question.name](question)
}

function exchangesOf({ bytes, index }: ExchangeFile<Uint8Array>): RecordedExchanges {
  return {
    count: index.exchanges.length,
    exchange(place) {
      const entry = index.exchanges[place]
      if (entry === undefined) throw new RangeError(`There is no exchange ${place}.`)
      return readExchange(bytes.subarray(entry.offset, entry.offset + entry.length))
    },
  }
}

function replayOf(file: ReplayFile<Uint8Array>): Replay {
  const exchanges = exchangesOf(file)
  return {
    async action(id) {
      const action = file.actions.get(id)
      if (action === undefined) return undefined
      const { outcome, place } = action
      return { outcome, exchange: place === null ? null : await exchanges.exchange(place) }
    },
  }
}
