import type { AnswerOf, operations } from '@flamegate/contract'

export type History = AnswerOf<typeof operations.getBenchmarkHistory>
export type Point = History['points'][number]
export type Change = History['change_points'][number]
export type Benchmark = History['benchmark']
