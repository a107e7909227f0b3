import { operations } from '@flamegate/contract'
import { useMutation } from '@tanstack/react-query'
import { client } from '../api.ts'
import { Button } from '../components/button.tsx'
import { saveFile } from '../components/save-file.ts'
import { say } from '../components/toasts.tsx'
import { problemWords } from '../problem-words.ts'
import { filterInput, type Filters } from './filters.ts'

type Format = 'csv' | 'ndjson'

const formats: Record<Format, { label: string; mediaType: string }> = {
  csv: { label: 'CSV', mediaType: 'text/csv' },
  ndjson: { label: 'JSON lines', mediaType: 'application/x-ndjson' },
}
/** What a browser holds without trouble. More is for a program. */
const mostEvents = 100_000

/** Saves what the filters leave, page by page put together, as a file. */
export function ExportButton({
  workspaceId,
  filters,
  format,
}: {
  workspaceId: string
  filters: Filters
  format: Format
}) {
  const { label, mediaType } = formats[format]
  const call = useMutation({
    mutationFn: async () => {
      const parts: string[] = []
      let count = 0
      let cursor: string | undefined
      do {
        const page = await client.call(operations.exportAuditLog, {
          workspace_id: workspaceId,
          format,
          ...filterInput(filters),
          cursor,
        })
        parts.push(page.content)
        count += page.event_count
        cursor = page.next_cursor ?? undefined
      } while (cursor !== undefined && count < mostEvents)
      save(new Blob(parts, { type: mediaType }), `audit-${workspaceId}.${format}`)
      return { count, isCut: cursor !== undefined }
    },
    onSuccess: ({ count, isCut }) => {
      const events = `${count.toLocaleString()} ${count === 1 ? 'event' : 'events'}`
      say(
        isCut ? `The newest ${events} were exported. Narrow the dates for the rest.` : `${events} exported.`,
      )
    },
    onError: (error) => say(problemWords(error).detail),
  })
  return (
    <Button isDisabled={call.isPending} onPress={() => call.mutate()}>
      {call.isPending ? 'Exporting…' : `Export ${label}`}
    </Button>
  )
}

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  saveFile(url, name)
  URL.revokeObjectURL(url)
}
