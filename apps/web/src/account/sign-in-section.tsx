import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Section } from '../components/section.tsx'
import { When } from '../components/when.tsx'
import { ChangeError } from './change-error.tsx'
import { ItemList } from './item-list.tsx'
import { beginLink, endLink, type OwnAccount } from './own-account.ts'
import { Removal } from './removal.tsx'
import { useChange } from './use-change.ts'

/** Accounts elsewhere that log in to this one; nothing where there are no such services. */
export function SignInSection({ account }: { account: OwnAccount }) {
  const [error, setError] = useState<Error | null>(null)
  if (account.sign_ins.length === 0) return null
  return (
    <Section title="Other ways to log in">
      <ChangeError error={error} />
      <ItemList
        label="Other ways to log in"
        items={account.sign_ins.map(({ id, name, linked }) => ({
          id,
          title: name,
          detail:
            linked === null ? (
              'not linked'
            ) : (
              <>
                {linked.email}, linked <When at={linked.linked_at} />
              </>
            ),
          action:
            linked === null ? (
              <LinkButton id={id} name={name} onError={setError} />
            ) : (
              <Removal
                label={`Unlink ${name}`}
                title={`Unlink ${name}?`}
                action="Unlink"
                change={() => endLink(id)}
                done={`${name} does not log in any more.`}
              >
                You can link it again at any time.
              </Removal>
            ),
        }))}
      />
    </Section>
  )
}

interface LinkButtonProps {
  id: string
  name: string
  onError: (error: Error) => void
}

function LinkButton({ id, name, onError }: LinkButtonProps) {
  const call = useChange(beginLink)
  return (
    <Button
      aria-label={`Link ${name}`}
      isDisabled={call.isPending || call.isSuccess}
      onPress={() =>
        call.mutate(id, { onSuccess: (answer) => window.location.assign(answer.redirect_to), onError })
      }
    >
      Link
    </Button>
  )
}
