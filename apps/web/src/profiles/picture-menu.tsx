import { operations, type RawInputOf } from '@flamegate/contract'
import { useMutation } from '@tanstack/react-query'
import { client } from '../api.ts'
import { FormatMenu } from '../components/format-menu.tsx'
import { saveFile } from '../components/save-file.ts'
import { say } from '../components/toasts.tsx'
import { problemWords } from '../problem-words.ts'

type Input = RawInputOf<typeof operations.exportDifferentialFlamegraph>

const formats: readonly { format: Input['format']; label: string; note: string }[] = [
  { format: 'svg', label: 'Flame graph', note: 'SVG, opens in any browser' },
  { format: 'png', label: 'Picture', note: 'PNG, for documents and chats' },
]

/** Saves what became more and less between two profiles as a picture. */
export function PictureMenu({ comparison }: { comparison: Omit<Input, 'format'> }) {
  const call = useMutation({
    mutationFn: (format: Input['format']) =>
      client.call(operations.exportDifferentialFlamegraph, { ...comparison, format }),
    onSuccess: ({ download, file_name, notes }) => {
      saveFile(download.url, file_name)
      for (const note of notes) say(note)
    },
    onError: (error) => say(`The flame graph cannot be exported: ${problemWords(error).detail}`),
  })
  return (
    <FormatMenu formats={formats} isPending={call.isPending} onExport={(format) => call.mutate(format)} />
  )
}
