import { type AnswerOf, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Caution } from '../components/caution.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { useMayInProject } from '../shell/project-role.ts'

type AlertsOff = NonNullable<AnswerOf<typeof operations.listThresholds>['alerts_off']>

/** That a project does without alerts, since when and who wanted it so; whoever may switches them on again. */
export function AlertsAreOff({ projectId, off: { since, by } }: { projectId: string; off: AlertsOff }) {
  const mayChange = useMayInProject(projectId, 'member')
  const call = useAlertSwitch()
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
  const call = useAlertSwitch()
  return (
    <>
      <Button onPress={() => setAsking(true)}>Switch alerts off…</Button>
      <ConfirmDialog
        title="Switch the alerts of this project off?"
        action="Switch off"
        isOpen={isAsking}
        isPending={call.isPending}
        error={call.error}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          call.mutate(
            { project_id: projectId, alerts: false },
            {
              onSuccess: () => {
                say('Alerts are off.')
                setAsking(false)
              },
            },
          )
        }
      >
        No run raises one until somebody switches them on again. Thresholds stay, and checks still go by them.
        Alerts that were raised stay as they are.
      </ConfirmDialog>
    </>
  )
}

function useAlertSwitch() {
  return useCall(operations.updateProject, [
    operations.listThresholds,
    operations.listPerformanceAlerts,
    operations.getProject,
  ])
}
