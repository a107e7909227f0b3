export { deleteTarget } from './delete-target.ts'
export { listTargets } from './list-targets.ts'
export { verifyTarget } from './verify-target.ts'
