import { operations } from '@flamegate/contract'
import { useCall } from '../api.ts'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'

interface Props {
  report: { id: string; name: string }
  onClose: () => void
}

/** Keeps the items of a report for reports to be made from. */
export function SaveTemplate({ report, onClose }: Props) {
  const call = useCall(operations.saveReportTemplate, [operations.listReportTemplates])
  return (
    <Dialog title="Save as a template" isOpen onClose={onClose}>
      <Form
        error={call.error}
        fields={['name']}
        onSubmit={(values) =>
          call.mutate(
            { bench_report_id: report.id, name: textOf(values, 'name') },
            {
              onSuccess: ({ template: { name } }) => {
                say(`The template “${name}” is there.`)
                onClose()
              },
            },
          )
        }
      >
        <p className="text-muted">
          A template has the items of this report, without its runs. New reports can be made from it.
        </p>
        <TextField label="Name of the template" name="name" defaultValue={report.name} maxLength={80} />
        <FormButtons action="Save" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
