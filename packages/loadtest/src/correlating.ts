/** What is needed where dynamic values are looked for: without what imports and exports virtual users, and the packages for that. */
export { applyRules } from './correlate/apply-rules.ts'
export { applySuggestions } from './correlate/apply-suggestions.ts'
export { likelyCauses } from './correlate/likely-causes.ts'
export type { RecordedExchanges } from './correlate/recorded-exchanges.ts'
export { type Replay, suggestCorrelations } from './correlate/suggest-correlations.ts'
export { readExchange } from './recording/read-recording.ts'
