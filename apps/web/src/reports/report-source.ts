import type { AnswerOf, operations } from '@flamegate/contract'
import type { QueryFunction, QueryKey } from '@tanstack/react-query'
import { createContext } from 'react'

export type ReportAnswer = AnswerOf<typeof operations.getBenchReport>
export type ItemAnswer = AnswerOf<typeof operations.getReportItemValues>
type ItemValues = ItemAnswer['values']
/** The values of items of a type. */
export type ValuesOf<Type extends ItemValues['type']> = Extract<ItemValues, { type: Type }>

/** Where a report comes from: the project that somebody is in, or a link. */
export interface ReportSource {
  reportId: string
  projectId: string
  /** Whether numbers still change. */
  isLive: boolean
  /** Whether who reads it may see other pages, and samples of errors. */
  isShared: boolean
  queryOf: (itemId: string) => { queryKey: QueryKey; queryFn: QueryFunction<ItemAnswer> }
}

export const ReportSourceContext = createContext<ReportSource | undefined>(undefined)
