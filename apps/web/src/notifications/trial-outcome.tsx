import type { AnswerOf, operations } from '@flamegate/contract'
import { Badge } from '../components/badge.tsx'

export type Trial = Pick<
  AnswerOf<typeof operations.testWebhook>,
  'was_delivered' | 'response_status' | 'response_excerpt' | 'duration_ms'
>

/** What came back from a message that was sent to try something out. */
export function TrialOutcome({ outcome }: { outcome: Trial }) {
  const { was_delivered, response_status, response_excerpt, duration_ms } = outcome
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={was_delivered ? 'better' : 'worse'}>
          {was_delivered ? 'delivered' : 'not delivered'}
        </Badge>
        {response_status === null ? 'No answer' : `Answer ${response_status}`} after {duration_ms} ms
      </p>
      {response_excerpt === '' ? null : (
        <p className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm break-words">
          {response_excerpt}
        </p>
      )}
    </>
  )
}
