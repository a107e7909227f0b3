import { formatQuantity, operations, uploadLimits } from '@flamegate/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Button } from '../components/button.tsx'
import { ProgressBar } from '../components/progress-bar.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { fieldMessages, problemWords } from '../problem-words.ts'
import { sendProjectFile } from './send-project-file.ts'

interface Sent {
  id: number
  path: string
  /** Of the bytes, 0 to 1. */
  share: number
  error: unknown
}

let nextId = 0

/** Sends files into a project, each with how far it is. */
export function FileUploads({ projectId }: { projectId: string }) {
  const [folder, setFolder] = useState('')
  const [files, setFiles] = useState<readonly Sent[]>([])
  const queries = useQueryClient()
  const stop = useRef<AbortController>(null)
  useEffect(() => {
    const controller = new AbortController()
    stop.current = controller
    return () => controller.abort()
  }, [])
  const change = (id: number, part: Partial<Sent>) =>
    setFiles((before) => before.map((each) => (each.id === id ? { ...each, ...part } : each)))
  const remove = (id: number) => setFiles((before) => before.filter((each) => each.id !== id))

  async function send(file: File): Promise<void> {
    const id = nextId++
    const prefix = folder.trim().replace(/\/+$/, '')
    const path = prefix === '' ? file.name : `${prefix}/${file.name}`
    setFiles((before) => [...before, { id, path, share: 0, error: null }])
    const signal = stop.current?.signal ?? AbortSignal.abort()
    try {
      await sendProjectFile(projectId, path, file, {
        signal,
        onProgress: (share) => change(id, { share }),
      })
      remove(id)
      say(`${path} is stored.`)
      await queries.invalidateQueries({ queryKey: [operations.listProjectFiles.id] })
    } catch (error) {
      if (!signal.aborted) change(id, { error })
    }
  }

  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="Folder"
          value={folder}
          onChange={setFolder}
          placeholder="None"
          className="w-56 max-w-full"
        />
        <FileTrigger
          allowsMultiple
          onSelect={(chosen) => {
            for (const file of chosen ?? []) void send(file)
          }}
        >
          <Button variant="primary">Upload files…</Button>
        </FileTrigger>
        <p className="text-sm text-muted">
          Up to {formatQuantity(uploadLimits.projectFileBytes, 'bytes')} each. A file that is there already is
          replaced, and can be brought back.
        </p>
      </div>
      {files.length === 0 ? null : (
        <ul aria-label="Uploads" className="flex flex-col gap-2">
          {files.map((each) => (
            <li key={each.id}>
              <Progress sent={each} onDismiss={() => remove(each.id)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Progress({ sent, onDismiss }: { sent: Sent; onDismiss: () => void }) {
  const { path, share, error } = sent
  if (error === null)
    return <ProgressBar label={share < 1 ? path : `${path}: being stored`} percent={share * 100} />
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md bg-worse-soft p-3"
    >
      <p className="min-w-0 break-words">
        <code>{path}</code> was not stored. {fieldMessages(error)['path'] ?? problemWords(error).detail}
      </p>
      <Button aria-label={`Dismiss: ${path}`} onPress={onDismiss}>
        Dismiss
      </Button>
    </div>
  )
}
