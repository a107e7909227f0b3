import { parentPort } from 'node:worker_threads'
import { jobs, type JobName, type Jobs } from './jobs.ts'
import { Turns } from './turns.ts'

/** A job, and which of the threads that share it this one is. */
export interface ThreadRequest<Name extends JobName = JobName> {
  name: Name
  given: readonly Jobs[Name]['given'][]
  asked: Jobs[Name]['asked']
  turns: SharedArrayBuffer
  thread: number
}

/** That it is there to be asked; then what was made, or why it was not. */
export type ThreadReply = 'ready' | { made: unknown } | { error: unknown }

// A thread that does one job after the other. What is thrown in one is an answer as well.
parentPort?.on(
  'message',
  <Name extends JobName>({ name, given, asked, turns, thread }: ThreadRequest<Name>) => {
    try {
      const job = jobs[name]
      const { made, buffers } = job.handedOver(job.make(given, asked, new Turns(turns, thread).isMine))
      tell({ made }, buffers)
    } catch (error) {
      tell({ error })
    }
  },
)
tell('ready')

function tell(reply: ThreadReply, buffers: ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, buffers)
}
