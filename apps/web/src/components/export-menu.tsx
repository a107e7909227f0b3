import { operations, type RawInputOf } from '@flamegate/contract'
import { useMutation } from '@tanstack/react-query'
import { MenuItem } from 'react-aria-components/Menu'
import { client } from '../api.ts'
import { problemWords } from '../problem-words.ts'
import { FormatMenu } from './format-menu.tsx'
import { menuItemClass } from './menu-class.ts'
import { saveFile } from './save-file.ts'
import { speedscopeUrl } from './speedscope-url.ts'
import { say } from './toasts.tsx'

type Input = RawInputOf<typeof operations.exportProfile>
type Format = Input['format']

const formats: readonly { format: Format; label: string; note: string }[] = [
  { format: 'svg', label: 'Flame graph', note: 'SVG, opens in any browser' },
  { format: 'png', label: 'Picture', note: 'PNG, for documents and chats' },
  { format: 'pprof', label: 'pprof', note: 'all sample types' },
  { format: 'speedscope', label: 'speedscope', note: 'per thread, in time' },
  { format: 'collapsed', label: 'Folded stacks', note: 'text' },
  { format: 'd3', label: 'd3-flame-graph', note: 'JSON' },
  { format: 'json', label: 'All columns', note: 'JSON' },
  { format: 'markdown', label: 'Report', note: 'Markdown' },
]

/** Saves what the page shows of a profile as a file of other tools, or opens it in speedscope. */
export function ExportMenu({ name, selection }: { name: string; selection: Omit<Input, 'format'> }) {
  const call = useMutation({
    mutationFn: ({ format }: { format: Format; tab?: Window | null }) =>
      client.call(operations.exportProfile, { ...selection, format }),
    onSuccess: ({ download, file_name, notes }, { tab }) => {
      const url = speedscopeUrl(download.url, name)
      if (tab && url !== undefined) {
        tab.opener = null
        tab.location.href = url
        return
      }
      tab?.close()
      saveFile(download.url, file_name)
      for (const note of notes) say(note)
      if (tab !== undefined) say(`${file_name} is saved: drop it on www.speedscope.app.`)
    },
    onError: (error, { tab }) => {
      tab?.close()
      say(`The profile cannot be exported: ${problemWords(error).detail}`)
    },
  })
  const openInSpeedscope = () => {
    // Now, because later it would be a window that nobody asked for.
    const tab = location.protocol === 'https:' ? window.open('about:blank', '_blank') : null
    call.mutate({ format: 'speedscope', tab })
  }
  return (
    <FormatMenu formats={formats} isPending={call.isPending} onExport={(format) => call.mutate({ format })}>
      <MenuItem
        id="open"
        textValue="Open in speedscope"
        onAction={openInSpeedscope}
        className={menuItemClass}
      >
        Open in speedscope
      </MenuItem>
    </FormatMenu>
  )
}
