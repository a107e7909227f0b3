import { operations } from '@flamegate/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { buttonClass } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { MoreActions } from '../components/more-actions.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { problemWords } from '../problem-words.ts'
import { tagsIn } from '../reports/tags-in.ts'
import { useMayInProject } from '../shell/project-role.ts'
import { type BenchResult, isOver } from './bench-state.tsx'

const outdated = [operations.getBenchResult, operations.listBenchResults]

/** The way from a load test to its report, and what can be done with it afterwards. */
export function BenchActions({ run }: { run: BenchResult }) {
  const { id, name, project_id: projectId, bench_report_id: reportId, is_baseline: isBaseline } = run
  const [asked, setAsked] = useState<'rename' | 'delete'>()
  const mayChange = useMayInProject(projectId, 'member')
  const navigate = useNavigate()
  const call = useCall(operations.updateBenchResult, outdated)
  const setBaseline = () =>
    call.mutate(
      { bench_result_id: id, is_baseline: !isBaseline },
      {
        onSuccess: () =>
          say(
            isBaseline
              ? `${name} is no longer the baseline.`
              : `Later runs of the scenario are compared with ${name}.`,
          ),
        onError: (error) => say(`It cannot be made the baseline: ${problemWords(error).detail}`),
      },
    )
  return (
    <>
      {reportId === null ? null : (
        <Link to="/reports/$reportId" params={{ reportId }} className={buttonClass()}>
          Report
        </Link>
      )}
      {mayChange ? (
        <MoreActions
          of={name}
          actions={[
            { label: 'Rename or tag', onAction: () => setAsked('rename') },
            ...(run.scenario_id === null
              ? []
              : [
                  {
                    label: isBaseline ? 'No longer the baseline' : 'Make it the baseline',
                    onAction: setBaseline,
                  },
                ]),
            ...(isOver(run) ? [{ label: 'Delete', onAction: () => setAsked('delete') }] : []),
          ]}
        />
      ) : null}
      {asked === 'rename' ? <Rename run={run} onClose={() => setAsked(undefined)} /> : null}
      {asked === 'delete' ? (
        <ConfirmCall
          title={`Delete ${name}?`}
          action="Delete"
          operation={operations.deleteBenchResult}
          input={{ bench_result_id: id }}
          outdates={[operations.listBenchResults]}
          onDone={() => {
            say(`${name} is deleted.`)
            void navigate({ to: '/projects/$projectId/bench-results', params: { projectId } })
          }}
          onClose={() => setAsked(undefined)}
        >
          All that was measured in it is removed for good. Reports of it say that it is gone.
        </ConfirmCall>
      ) : null}
    </>
  )
}

function Rename({ run, onClose }: { run: BenchResult; onClose: () => void }) {
  const call = useCall(operations.updateBenchResult, outdated)
  return (
    <Dialog title={`Rename or tag ${run.name}`} isOpen onClose={onClose}>
      <Form
        error={call.error}
        fields={['name', 'tags']}
        onSubmit={(values) =>
          call.mutate(
            {
              bench_result_id: run.id,
              name: textOf(values, 'name').trim(),
              tags: tagsIn(textOf(values, 'tags')),
            },
            { onSuccess: onClose },
          )
        }
      >
        <TextField label="Name" name="name" defaultValue={run.name} maxLength={80} />
        <TextField
          label="Tags"
          name="tags"
          defaultValue={run.tags.join(', ')}
          hint="With commas between them. Trends find runs by them."
        />
        <FormButtons action="Save" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
