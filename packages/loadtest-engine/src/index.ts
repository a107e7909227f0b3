export { type ClosablePageRunner, createPageRunner } from './page/create-page-runner.ts'
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
export { runVirtualUser } from './run-virtual-user.ts'
export { runInThread, type ThreadOptions } from './thread/run-in-thread.ts'
