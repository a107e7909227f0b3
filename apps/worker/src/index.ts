export { startWorker } from './start-worker.ts'
export { workerConfig } from './worker-config.ts'
