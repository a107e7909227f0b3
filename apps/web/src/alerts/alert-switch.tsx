import { type AnswerOf, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Caution } from '../components/caution.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { useMayInProject } from '../shell/project-role.ts'

type AlertsOff = NonNullable<AnswerOf<typeof operations.listThresholds>['alerts_off']>

const outdates = [operations.listThresholds, operations.listPerformanceAlerts, operations.getProject]

/** That a project does without alerts, since when and who wanted it so; whoever may switches them on again. */
export function AlertsAreOff({ projectId, off: { since, by } }: { projectId: string; off: AlertsOff }) {
  const mayChange = useMayInProject(projectId, 'member')
  const call = useCall(operations.updateProject, outdates)
  return (
    <div className="flex flex-col gap-3">
      <Caution>
        Alerts are off since <When at={since} />
        {by === null ? '' : `, by ${by}`}: no run raises any.
      </Caution>
      {mayChange ? (
        <span>
          <Button
            isDisabled={call.isPending}
            onPress={() =>
              call.mutate(
                { project_id: projectId, alerts: true },
                { onSuccess: () => say('Alerts are on again.') },
              )
            }
          >
            Switch alerts on
          </Button>
        </span>
      ) : null}
      {call.error === null ? null : <ProblemNote error={call.error} />}
    </div>
  )
}

/** Switches the alerts of a whole project off, after asking. */
export function SwitchAlertsOff({ projectId }: { projectId: string }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button onPress={() => setAsking(true)}>Switch alerts off…</Button>
      {isAsking ? (
        <ConfirmCall
          title="Switch the alerts of this project off?"
          action="Switch off"
          operation={operations.updateProject}
          input={{ project_id: projectId, alerts: false }}
          outdates={outdates}
          onDone={() => say('Alerts are off.')}
          onClose={() => setAsking(false)}
        >
          No run raises one until somebody switches them on again. Thresholds stay, and checks still go by
          them. Alerts that were raised stay as they are.
        </ConfirmCall>
      ) : null}
    </>
  )
}
