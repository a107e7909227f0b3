/** A task waits, runs, and then ends in one of three ways. */
export const taskStatuses = ['PENDING', 'RUNNING', 'SUCCESS', 'FAILED', 'CANCELLED'] as const
