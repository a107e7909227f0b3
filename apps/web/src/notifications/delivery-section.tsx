import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { usePages } from '../paged.ts'
import { DeliveryTable } from './delivery-table.tsx'

/** What was sent, how it went, and when it is tried again. */
export function DeliverySection({ projectId }: { projectId: string }) {
  const { query, more } = usePages(
    operations.listDeliveries,
    { project_id: projectId },
    ({ deliveries, next_cursor }) => ({ rows: deliveries, nextCursor: next_cursor }),
  )
  const webhooks = useAnswer(operations.listWebhooks, { project_id: projectId }).data?.webhooks ?? []
  const addresses = new Map(webhooks.map(({ id, target }) => [id, target]))
  return (
    <Section
      title="Deliveries"
      aside={
        <Button isDisabled={query.isFetching} onPress={() => void query.refetch()}>
          Look again
        </Button>
      }
    >
      {/* Somebody may have asked to look again. */}
      {query.isRefetchError ? <ProblemNote error={query.error} /> : null}
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {(rows) => (
          <DeliveryTable
            rows={rows}
            toWhom={({ webhook_id: id }) => (id === null ? 'GitHub' : (addresses.get(id) ?? id))}
            outdates={[operations.listDeliveries]}
          />
        )}
      </Answer>
      <LoadMore {...more} />
    </Section>
  )
}
