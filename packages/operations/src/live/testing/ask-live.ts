import type { Caller, Operation, OutputOf } from '@flamegate/contract'
import type { ReceivedLivePush } from '@flamegate/live'
import type { CallContext, Implementation } from '../../implement.ts'
import { plansWith } from '../../limits/testing/plans-with.ts'
import type { LiveRecordingStore } from '../../ports/index.ts'
import { memoryLive, memoryRecordings, type MadeRecording } from './memory-live.ts'

/** Calls tools of live apps with the role that each needs, each with what it answers as its own schema reads it. */
export function askLive(
  apps: Readonly<Record<string, readonly ReceivedLivePush[]>>,
  recordings: Readonly<Record<string, MadeRecording>> = {},
  pinning: Partial<Pick<LiveRecordingStore, 'pin'>> = {},
) {
  const stores = {
    plans: plansWith({ live_recording_bytes: 512 * 2 ** 20 }),
    live: memoryLive(apps),
    liveRecordings: { ...memoryRecordings(recordings), ...pinning },
  }
  return async <O extends Operation>(
    operation: O,
    implementation: Implementation,
    input: Record<string, unknown> = {},
  ): Promise<{ answer: OutputOf<O>; markdown: string }> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a handler does not use is not there, and fails it
    const context = {
      caller: { roles: new Map([['ws_1', operation.role]]) } as Partial<Caller>,
      operation,
      deps: { stores, limits: { factor: 1 } },
      concerns: () => {},
      enterWorkspace: () => undefined,
    } as unknown as CallContext
    const answer = await implementation.handle(
      operation.input.parse({ live_app_id: 'app_1', ...input }),
      context,
    )
    const read = operation.output.strict().parse(answer)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema has just read it
    return { answer: read as OutputOf<O>, markdown: operation.markdown(read) }
  }
}
