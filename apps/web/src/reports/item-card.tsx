import { useContext, useState } from 'react'
import { Button, IconButton } from '../components/button.tsx'
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, CloseIcon } from '../components/icons.tsx'
import type { Choice } from '../components/select.tsx'
import { MarkdownView } from '../markdown/markdown-view.tsx'
import { EditingContext } from '../documents/editing.ts'
import { FieldRows } from '../documents/field-view.tsx'
import { type JsonObject, textOf } from '../documents/json.ts'
import { itemFields } from './item-fields.ts'
import { itemTypeLabel } from './item-types.ts'

interface Props {
  item: JsonObject
  index: number
  count: number
  /** The runs of the report, by their places. */
  runs: readonly Choice[]
  /** Whether saving was refused for something in it. */
  isRefused: boolean
}

/** One item of a report: where it stands, and, behind a button, what it shows. */
export function ItemCard({ item, index, count, runs, isRefused }: Props) {
  const { change } = useContext(EditingContext)
  const [isOpened, setOpened] = useState(false)
  const isOpen = isOpened || isRefused
  const type = textOf(item['type'])
  const title = textOf(item['title'])
  const label = itemTypeLabel(type)
  const name = title || label
  const pointer = `/items/${index}`
  const move = (to: number) =>
    change(`Moved “${name}”`, [{ op: 'move', from: pointer, path: `/items/${to}` }])
  return (
    <li
      aria-label={name}
      className="flex min-w-0 flex-col gap-4 rounded-lg border border-line bg-surface px-4 py-3"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="min-w-0 grow break-words">
          <span className="font-semibold">{name}</span>{' '}
          {title === '' || title === label ? null : <span className="text-muted">{label}</span>}
        </h3>
        <span className="flex items-center">
          <Button
            variant="quiet"
            aria-expanded={isOpen}
            aria-label={`Options of ${name}`}
            onPress={() => setOpened(!isOpen)}
          >
            {isOpen ? <ChevronDown /> : <ChevronRight />}
            Options
          </Button>
          <IconButton label={`Move ${name} up`} isDisabled={index === 0} onPress={() => move(index - 1)}>
            <ArrowUp />
          </IconButton>
          <IconButton
            label={`Move ${name} down`}
            isDisabled={index === count - 1}
            onPress={() => move(index + 1)}
          >
            <ArrowDown />
          </IconButton>
          <IconButton
            label={`Remove ${name}`}
            onPress={() => change(`Removed “${name}”`, [{ op: 'remove', path: pointer }])}
          >
            <CloseIcon />
          </IconButton>
        </span>
      </div>
      {isOpen ? (
        <fieldset className="contents">
          <legend className="sr-only">Options of {name}</legend>
          <FieldRows fields={itemFields(type, runs)} pointer={pointer} value={item} />
        </fieldset>
      ) : null}
      {type === 'text' && textOf(item['markdown']) !== '' ? (
        <MarkdownView text={textOf(item['markdown'])} />
      ) : null}
    </li>
  )
}
