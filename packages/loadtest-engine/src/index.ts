export { generatorLimits } from './load/generator-health.ts'
export { loadActions, LoadGenerator, sharedVariables } from './load/load-generator.ts'
export type { MeasuredPageLoad } from './load/page-loads.ts'
export type {
  KeptPageTrace,
  LoadModel,
  LoadObserver,
  LoadOutcome,
  LoadPlan,
  LoadProfile,
} from './load/load-generator.ts'
export type { RequestLog } from './load/request-log.ts'
export type { FailureSample } from './load/samples.ts'
export { type ClosablePageRunner, createPageRunner } from './page/create-page-runner.ts'
export { launchBrowser, missingBrowser } from './page/launch-browser.ts'
export { LoadBrowser } from './page/load-browser.ts'
export type { WebVitals } from './page/web-vitals.ts'
export type {
  ActionResult,
  Observer,
  PageOutcome,
  PageRunner,
  PageUser,
  ReplayedExchange,
  StartedAction,
  TargetGate,
  UserOutcome,
  UserPlan,
} from './ports.ts'
export { TargetRefused } from './ports.ts'
export { type DealtShare, sharedPlaces, type SharedPlaces } from './variables/feed.ts'
export { runVirtualUser } from './run-virtual-user.ts'
export { childEnvironment, ended, lastWords, whenGone } from './process/child.ts'
export { runInProcess, type ProcessOptions } from './process/run-in-process.ts'
export { Random } from './random.ts'
