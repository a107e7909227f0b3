export { openQueue } from './open-queue.ts'
export type { OpenQueue, QueueOptions } from './open-queue.ts'
export type { JobContext, JobHandlers, WorkerOptions, Workers } from './workers.ts'
