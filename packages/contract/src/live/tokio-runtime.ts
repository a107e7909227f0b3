import { defineSummary } from './define-summary.ts'
import { liveQuestion } from './live-shapes.ts'

export const tokioRuntime = defineSummary({
  id: 'tokio_runtime',
  title: 'Runtime',
  description:
    'The runtime of a program: workers, queues and blocking threads of Tokio; event loop and garbage collection of Node.js.',
  path: 'tokio',
  input: {
    live_app_id: liveQuestion.live_app_id,
    last_seconds: liveQuestion.last_seconds,
    session: liveQuestion.session,
  },
  columns: 'all',
  example: {
    id: 'runtime',
    name: 'runtime',
    measures: { num_workers: 4, num_alive_tasks: 12, global_queue_depth: 0 },
  },
})
