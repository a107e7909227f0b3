/**
 * What numbers mean, for code that runs within programs of others (`@flamegate/profiler`): the rules, and the comparison of what
 * was measured in turns, without what reads files of others and the package for that.
 */
export { changeInTurns } from './compare/change-in-turns.ts'
export type { ChangeInTurns } from './compare/change-in-turns.ts'
export { diagnoseReport } from './diagnose/diagnose-report.ts'
export type { Finding } from './diagnose/finding.ts'
export type { McpOperation, McpReport } from './report.ts'
