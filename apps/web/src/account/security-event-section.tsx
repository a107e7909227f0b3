import { describeBrowser, operations } from '@flamegate/contract'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { usePages } from '../paged.ts'
import { actionWords, outcomeWords, type SecurityEvent } from '../security/words.ts'
import { ItemList } from './item-list.tsx'

/** What was done to the account lately, and from where: what was somebody else shows here. */
export function SecurityEventSection() {
  const { query, more } = usePages(
    operations.listSecurityEvents,
    { limit: 10 },
    ({ security_events, next_cursor }) => ({ rows: security_events, nextCursor: next_cursor }),
  )
  return (
    <Section title="What was done">
      <Answer query={query} skeleton={<SkeletonBlock height="12rem" />}>
        {(events) => (
          <>
            <ItemList
              label="What was done"
              items={events.map((event) => ({
                id: event.id,
                title: titleOf(event),
                badge: <Outcome event={event} />,
                detail: (
                  <>
                    <When at={event.at} /> from {event.ip}
                    {event.user_agent === null ? null : `, ${describeBrowser(event.user_agent)}`}
                  </>
                ),
              }))}
            />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
    </Section>
  )
}

function titleOf({ action, client_id, client_name }: SecurityEvent): string {
  return client_id === 'web' ? actionWords(action) : `${actionWords(action)}: ${client_name}`
}

function Outcome({ event }: { event: SecurityEvent }) {
  const words = outcomeWords(event.outcome)
  return words === undefined ? null : <Badge tone="caution">{words}</Badge>
}
