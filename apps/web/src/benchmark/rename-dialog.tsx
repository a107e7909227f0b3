import { operations } from '@flamegate/contract'
import { useCall } from '../api.ts'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import type { Benchmark } from './history.ts'
import { outdatedByBenchmark } from './outdated.ts'

/** Another uri for a benchmark that was renamed in the code. */
export function RenameDialog({ benchmark, onClose }: { benchmark: Benchmark; onClose: () => void }) {
  const call = useCall(operations.renameBenchmark, outdatedByBenchmark)
  return (
    <Dialog title={`Rename ${benchmark.name}`} isOpen onClose={onClose}>
      <p className="text-muted">
        Its history goes on. Runs that still come with the old uri are taken for this benchmark, too.
      </p>
      <Form
        error={call.error}
        fields={['uri']}
        onSubmit={(values) =>
          call.mutate(
            { benchmark_id: benchmark.id, uri: textOf(values, 'uri') },
            {
              onSuccess: () => {
                say('The benchmark is renamed.')
                onClose()
              },
            },
          )
        }
      >
        <TextField
          label="New uri, as the harness will write it"
          name="uri"
          defaultValue={benchmark.uri}
          autoComplete="off"
          isRequired
        />
        <FormButtons action="Rename" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
