/** Scenarios: which virtual users put how much load on a system, and what it must keep to. Nothing here runs anything. */
export { ArrivalSchedule, type ArrivalShare } from './arrivals.ts'
export { compareScenarios, type ScenarioChange } from './compare-scenarios.ts'
export { durationText, readDuration } from './duration-text.ts'
export {
  assumedRequestMs,
  estimateIteration,
  estimateRequests,
  type IterationEstimate,
  iterationMs,
  meanMs,
  type RequestEstimate,
} from './estimate-requests.ts'
export {
  type Distribution,
  evaluateThreshold,
  type Measured,
  measuredValue,
  type ThresholdState,
  type ThresholdVerdict,
} from './evaluate-threshold.ts'
export { type ClosedLoad, isOpen, type Load, load, type LoadType, type OpenLoad } from './load.ts'
export {
  areaUnder,
  type CurvePoint,
  loadCurve,
  loadDurationMs,
  loadPeak,
  valueAt as loadValueAt,
  wantedUsers,
  wholeUsers,
} from './load-curve.ts'
export { outOfRowsOfRun, outOfRowsWords } from './out-of-rows.ts'
export { delayed, loadWords, type ScenarioExtent, scenarioExtent, sumOfCurves } from './scenario-extent.ts'
export {
  browserUsersOf,
  limitProblems,
  type LoadLimits,
  type ScenarioProblem,
  scenarioProblems,
  type ScenarioSurroundings,
} from './scenario-problems.ts'
export {
  engineTitle,
  type OtherEngine,
  type OtherEngineName,
  otherEngines,
  type Scenario,
  scenario,
  type UserProfile,
  userProfile,
} from './scenario.ts'
export { shareOfUsers } from './split-load.ts'
export {
  asReported,
  needsStatistic,
  type ThresholdMetric,
  thresholdMetricNames,
  thresholdMetrics,
  type ThresholdUnit,
  unitOf,
} from './threshold-metrics.ts'
export { measureText, parseThreshold, ThresholdTextError, thresholdText } from './threshold-text.ts'
export {
  type Threshold,
  threshold,
  thresholdOperators,
  type ThresholdScope,
  thresholdScope,
} from './threshold.ts'
