import { type AnswerOf, type LiveRowShape, operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import type { LiveSectionView } from './live-sections.ts'

type ItemHistory = AnswerOf<typeof operations.liveHistory>['items'][number]

interface Question {
  /** Id of a live app or of a recording. */
  sourceId: string
  section: LiveSectionView
  /** Without them since the start, of a recording all of it. */
  windowSeconds: number | undefined
  isPaused: boolean
  steps: number
  filter?: string | undefined
  name?: string | undefined
}

/** How items of a section went. It is asked for as often as there are two new steps. */
export function useLiveHistory(question: Question) {
  const { sourceId, section, windowSeconds, isPaused, steps, filter, name } = question
  return useAnswer(
    operations.liveHistory,
    {
      live_app_id: sourceId,
      section: section.id,
      steps,
      ...(windowSeconds === undefined ? {} : { last_seconds: windowSeconds }),
      ...(filter === undefined ? {} : { filter }),
      ...(name === undefined ? {} : { name }),
    },
    {
      keepPrevious: true,
      pollWhile: () => !isPaused,
      pollEveryMs: Math.max(2000, Math.min(30_000, ((windowSeconds ?? 600) / steps) * 2000)),
    },
  )
}

/** Finds the history of a row: of the same process where there is one, for gauges of processes stay apart. */
export function historyOfRow(items: readonly ItemHistory[]): (row: LiveRowShape) => ItemHistory | undefined {
  const exact = new Map(items.map((item) => [JSON.stringify([item.session, item.id, item.name]), item]))
  const merged = new Map(items.map((item) => [JSON.stringify([item.name, item.place]), item]))
  return ({ id, name, place, session }) =>
    exact.get(JSON.stringify([session, id, name])) ?? merged.get(JSON.stringify([name, place]))
}
