import { operations, type RawInputOf } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonLine } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'

interface Props {
  projectId: string
  mayChange: boolean
}

/** The badge of a project, for a readme. */
export function BadgeSection({ projectId, mayChange }: Props) {
  const query = useAnswer(operations.getBadge, { project_id: projectId })
  const call = useCall(operations.setBadge, [operations.getBadge])
  const [asked, setAsked] = useState<'new address' | 'take away'>()
  const set = (input: Omit<RawInputOf<typeof operations.setBadge>, 'project_id'>, words: string) =>
    call.mutate(
      { project_id: projectId, ...input },
      {
        onSuccess: () => {
          setAsked(undefined)
          say(words)
        },
      },
    )
  return (
    <Section title="Badge">
      <Answer query={query} skeleton={<SkeletonLine width="16rem" />}>
        {({ image_url, markdown }) =>
          image_url === null || markdown === null ? (
            <div className="flex flex-col items-start gap-3">
              <p className="text-muted">
                A picture for a readme that says how many regressions are open. Whoever has its address sees
                it.
              </p>
              {mayChange ? (
                <Button
                  isDisabled={call.isPending}
                  onPress={() => set({ is_public: true }, 'The project has a badge.')}
                >
                  Make a badge
                </Button>
              ) : null}
            </div>
          ) : (
            <div className="flex flex-col gap-3">
              {/* Its path alone: the page may be open under another name of this server. */}
              <img
                src={new URL(image_url).pathname}
                alt="The badge as it is now"
                className="h-5 self-start"
              />
              <CopyField label="Markdown" value={markdown} />
              <p className="text-sm text-muted">
                With <code>?branch=…</code> it is about another branch, with <code>?benchmark=…</code> it
                shows the newest value of one benchmark.
              </p>
              {mayChange ? (
                <span className="flex flex-wrap gap-2">
                  <Button onPress={() => setAsked('new address')}>New address…</Button>
                  <Button onPress={() => setAsked('take away')}>Take it away…</Button>
                </span>
              ) : null}
            </div>
          )
        }
      </Answer>
      <ConfirmDialog
        title={asked === 'take away' ? 'Take the badge away?' : 'Give the badge a new address?'}
        action={asked === 'take away' ? 'Take away' : 'New address'}
        isOpen={asked !== undefined}
        isPending={call.isPending}
        error={call.error}
        onClose={() => setAsked(undefined)}
        onConfirm={() =>
          asked === 'take away'
            ? set({ is_public: false }, 'The badge is gone.')
            : set({ is_public: true, new_address: true }, 'The badge has a new address.')
        }
      >
        Where the address of now is used, the badge says “unknown” from then on.
      </ConfirmDialog>
    </Section>
  )
}
