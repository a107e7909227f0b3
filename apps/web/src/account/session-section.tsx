import { describeBrowser } from '@flamegate/contract'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Section } from '../components/section.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { ChangeError } from './change-error.tsx'
import { ItemList } from './item-list.tsx'
import { endOtherSessions, endSession, type OwnAccount } from './own-account.ts'
import { useChange } from './use-change.ts'

type Session = OwnAccount['sessions'][number]

/** Where the person is logged in. */
export function SessionSection({ sessions }: { sessions: readonly Session[] }) {
  const call = useChange(endOtherSessions)
  return (
    <Section
      title="Sessions"
      aside={
        sessions.length > 1 ? (
          <Button
            isDisabled={call.isPending}
            onPress={() =>
              call.mutate(undefined, { onSuccess: () => say('You are logged out everywhere else.') })
            }
          >
            Log out everywhere else
          </Button>
        ) : undefined
      }
    >
      <ChangeError error={call.error} />
      <ItemList
        label="Sessions"
        items={sessions.map((session) => ({
          id: session.id,
          title: describeBrowser(session.user_agent),
          badge: session.is_current ? <Badge tone="accent">this one</Badge> : undefined,
          detail: (
            <>
              since <When at={session.created_at} />
            </>
          ),
          action: session.is_current ? undefined : <EndSession session={session} />,
        }))}
      />
    </Section>
  )
}

function EndSession({ session }: { session: Session }) {
  const call = useChange(endSession)
  return (
    <Button
      variant="quiet"
      aria-label={`Log out ${describeBrowser(session.user_agent)}`}
      isDisabled={call.isPending}
      onPress={() => call.mutate(session.id, { onSuccess: () => say('That session has ended.') })}
    >
      Log out
    </Button>
  )
}
