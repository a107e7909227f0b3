import { type AnswerOf, operations, type RawInputOf } from '@flamegate/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormatMenu } from '../components/format-menu.tsx'
import { saveFile } from '../components/save-file.ts'
import { say } from '../components/toasts.tsx'
import { problemWords } from '../problem-words.ts'

type Format = NonNullable<RawInputOf<typeof operations.exportVirtualUser>['format']>

const formats: readonly { format: Format; label: string; note: string }[] = [
  { format: 'archive', label: 'Archive', note: 'all of it, to be imported again' },
  { format: 'jmx', label: 'JMX', note: 'for JMeter' },
  { format: 'k6', label: 'k6', note: 'a script' },
  { format: 'har', label: 'HAR', note: 'of the last validation' },
]

/** Saves a virtual user as a file, and tells what the format has no room for. */
export function ExportVirtualUserMenu({ virtualUserId }: { virtualUserId: string }) {
  const [told, setTold] = useState<AnswerOf<typeof operations.exportVirtualUser>>()
  const call = useMutation({
    mutationFn: (format: Format) =>
      client.call(operations.exportVirtualUser, { virtual_user_id: virtualUserId, format }),
    onSuccess: (answer) => {
      saveFile(answer.download.url, answer.file_name)
      if (answer.notes.length > 0) setTold(answer)
    },
    onError: (error) => say(`It cannot be exported: ${problemWords(error).detail}`),
  })
  return (
    <>
      <FormatMenu formats={formats} isPending={call.isPending} onExport={(format) => call.mutate(format)} />
      {told === undefined ? null : (
        <Dialog title={`${told.file_name} is saved`} isOpen onClose={() => setTold(undefined)}>
          <p className="text-muted">What is not in it as it is here:</p>
          <ul className="max-h-80 list-disc overflow-y-auto pl-5">
            {told.notes.map((note) => (
              <li key={note} className="break-words">
                {note}
              </li>
            ))}
          </ul>
          <div className="flex justify-end">
            <Button onPress={() => setTold(undefined)}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
