import { formatBytes, operations } from '@flamegate/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { ProgressBar } from '../components/progress-bar.tsx'
import { TextField } from '../components/text-field.tsx'
import { sendResults } from './send-results.ts'

/** A button to bring in what another tool measured. */
export function ImportResults({ projectId }: { projectId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>Import results…</Button>
      {isOpen ? <ImportDialog projectId={projectId} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** Lists that lack what an import made. */
const outdated = [operations.listBenchResults, operations.listBenchReports]

function ImportDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [file, setFile] = useState<File>()
  const [progress, setProgress] = useState({ words: '', percent: 0 })
  const abort = useRef<AbortController>(undefined)
  const call = useMutation({
    mutationFn: ({ chosen, name }: { chosen: File; name: string }) => {
      abort.current = new AbortController()
      return sendResults(projectId, chosen, {
        name,
        signal: abort.current.signal,
        onProgress: (words, percent) => setProgress({ words, percent }),
      })
    },
    onSuccess: () => {
      for (const { id } of outdated) void queries.invalidateQueries({ queryKey: [id] })
    },
  })
  const close = () => {
    abort.current?.abort()
    onClose()
  }
  return (
    <Dialog title="Import results" isOpen onClose={close}>
      {call.isPending ? (
        <div className="flex flex-col items-start gap-4">
          <ProgressBar label={progress.words || 'Waiting for its turn'} percent={progress.percent} />
          <Button onPress={close}>Call off</Button>
        </div>
      ) : (
        <Form
          error={call.error}
          fields={['name']}
          onSubmit={(values) => {
            if (file === undefined) return
            call.mutate(
              { chosen: file, name: textOf(values, 'name').trim() },
              {
                // Only who still waits for it is led there.
                onSuccess: (reportId) => void navigate({ to: '/reports/$reportId', params: { reportId } }),
              },
            )
          }}
        >
          <p className="text-muted">
            A JTL of JMeter (CSV or XML), JSON or CSV of k6 (<code>--out</code>), a{' '}
            <code>simulation.log</code> of Gatling, a <code>…_stats_history.csv</code> of Locust, or a HAR. It
            may be packed as .gz or .zip.
          </p>
          <DropZone
            onDrop={({ items }) => {
              const dropped = items.find(({ kind }) => kind === 'file')
              if (dropped?.kind === 'file') void dropped.getFile().then(setFile)
            }}
            className="flex flex-wrap items-center gap-3 rounded-lg border border-dashed border-line-strong p-4 data-drop-target:border-accent data-drop-target:bg-accent-soft"
          >
            <FileTrigger onSelect={(files) => setFile(files?.[0])}>
              <Button>{file === undefined ? 'Choose a file…' : 'Choose another…'}</Button>
            </FileTrigger>
            <output className="min-w-0 break-words text-muted">
              {file === undefined
                ? 'or drop it here; up to 200 MB'
                : `${file.name}, ${formatBytes(file.size)}`}
            </output>
          </DropZone>
          <TextField
            label="Name"
            name="name"
            maxLength={80}
            hint="Of the load test; else that of the file."
          />
          <FormButtons action="Import" isDisabled={file === undefined} onCancel={close} />
        </Form>
      )}
    </Dialog>
  )
}
