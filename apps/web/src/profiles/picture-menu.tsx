import { operations, type RawInputOf } from '@flamegate/contract'
import { useMutation } from '@tanstack/react-query'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components/Menu'
import { client } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ChevronDown } from '../components/icons.tsx'
import { menuItemClass } from '../components/menu-class.ts'
import { popoverClass } from '../components/popover-class.ts'
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
    <MenuTrigger>
      <Button isDisabled={call.isPending}>
        {call.isPending ? 'Exporting…' : 'Export'}
        <ChevronDown />
      </Button>
      <Popover placement="bottom end" className={`${popoverClass} min-w-64`}>
        <Menu aria-label="Export" className="outline-none">
          {formats.map(({ format, label, note }) => (
            <MenuItem
              key={format}
              id={format}
              textValue={label}
              onAction={() => call.mutate(format)}
              className={menuItemClass}
            >
              <span className="grow">{label}</span>
              <span className="text-sm text-muted">{note}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
