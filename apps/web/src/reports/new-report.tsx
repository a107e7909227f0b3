import { operations } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { RunChoice } from './run-choice.tsx'
import { TrendFields } from './trend-fields.tsx'
import { trendOf } from './trend-of.ts'

const kinds = [
  { id: 'runs', label: 'Load tests, compared with the first' },
  { id: 'trend', label: 'A trend over load tests' },
]

/** Stands for the items that such a report usually has. */
const usual = 'usual'

/** A button that makes a report of some load tests or of a trend, and opens it. */
export function NewReport({ projectId }: { projectId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" onPress={() => setOpen(true)}>
        <PlusIcon />
        New report
      </Button>
      <Dialog title="New report" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewReportForm projectId={projectId} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function NewReportForm({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [kind, setKind] = useState('runs')
  const [runIds, setRunIds] = useState<readonly string[]>([])
  const [templateId, setTemplateId] = useState(usual)
  const navigate = useNavigate()
  const templates = useAnswer(operations.listReportTemplates, { project_id: projectId }).data?.templates ?? []
  const call = useCall(operations.createReport, [operations.listBenchReports])
  const create = (values: FormData) => {
    const name = textOf(values, 'name').trim()
    call.mutate(
      {
        project_id: projectId,
        ...(name === '' ? {} : { name }),
        ...(kind === 'runs' ? { bench_result_ids: [...runIds] } : { trend: trendOf(values) }),
        ...(templateId === usual ? {} : { template_id: templateId }),
      },
      {
        onSuccess: ({ bench_report: { id } }) =>
          void navigate({ to: '/reports/$reportId', params: { reportId: id } }),
      },
    )
  }
  return (
    <Form error={call.error} fields={['name', 'bench_result_ids', 'template_id']} onSubmit={create}>
      <TextField label="Name" name="name" placeholder="what it is of" maxLength={80} />
      <Select label="Of" value={kind} onChange={setKind} choices={kinds} />
      {kind === 'runs' ? (
        <RunChoice projectId={projectId} chosen={runIds} onChange={setRunIds} />
      ) : (
        <TrendFields projectId={projectId} />
      )}
      {templates.length === 0 ? null : (
        <Select
          label="Items"
          name="template_id"
          value={templateId}
          onChange={setTemplateId}
          choices={[
            { id: usual, label: 'The usual ones' },
            ...templates.map(({ id, name }) => ({ id, label: name, note: 'template' })),
          ]}
        />
      )}
      <FormButtons action="Create" isDisabled={call.isPending} onCancel={onClose} />
    </Form>
  )
}
