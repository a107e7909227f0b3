import { memo, useContext, useState } from 'react'
import { Button, IconButton } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { useFieldMessage } from '../components/form-messages.ts'
import { ArrowDown, ArrowUp, CloseIcon, PlusIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import { TextArea } from '../components/text-area.tsx'
import { TextField } from '../components/text-field.tsx'
import { DurationView } from './duration-view.tsx'
import { EditingContext, useSetValue } from './editing.ts'
import { type Field, type Shape, type Variant, variantOf } from './field.ts'
import { newPart } from './new-part.ts'
import { inside, isObject, isSame, type JsonObject, objectsIn, textOf } from './json.ts'

type FieldOf<Kind extends Field['kind']> = Extract<Field, { kind: Kind }>

const sizes = { half: 'sm:col-span-3', third: 'sm:col-span-2' } as const

/** Fields of an object, in rows of as many as fit. */
export function FieldRows(props: { fields: readonly Field[]; pointer: string; value: JsonObject }) {
  const { fields, pointer, value } = props
  return (
    <div className="grid gap-x-4 gap-y-3 sm:grid-cols-6">
      {fields.map((field) => (
        <div
          key={field.name}
          className={`min-w-0 ${field.kind === 'flag' ? 'sm:self-end' : ''} ${field.size === undefined ? 'sm:col-span-6' : sizes[field.size]}`}
        >
          <FieldView field={field} pointer={inside(pointer, field.name)} value={value[field.name]} />
        </div>
      ))}
    </div>
  )
}

interface ViewProps<F> {
  field: F
  pointer: string
  value: unknown
}

/** Drawn again when its own value is another one: a document has thousands of fields, and changes with each key. */
const FieldView = memo(function FieldOfAnyKind({ field, ...props }: ViewProps<Field>) {
  switch (field.kind) {
    case 'text':
      return <TextView field={field} {...props} />
    case 'number':
    case 'match':
      return <NumberView field={field} {...props} />
    case 'duration':
      return <DurationView label={field.label} hint={field.hint} {...props} />
    case 'flag':
      return <FlagView field={field} {...props} />
    case 'choice':
      return <ChoiceView field={field} {...props} />
    case 'several':
      return <SeveralView field={field} {...props} />
    case 'server':
      return <ServerView field={field} {...props} />
    case 'texts':
      return <TextsView field={field} {...props} />
    case 'object':
      return <ObjectView field={field} {...props} />
    default:
      return <ListView field={field} {...props} />
  }
})

function TextView({ field, pointer, value }: ViewProps<FieldOf<'text'>>) {
  const set = useSetValue(pointer, field.label)
  const shared = {
    label: field.label,
    name: pointer,
    value: textOf(value),
    onChange: (text: string) => set(field.isNullable === true && text === '' ? null : text),
    ...(field.hint === undefined ? {} : { hint: field.hint }),
    ...(field.placeholder === undefined ? {} : { placeholder: field.placeholder }),
  }
  return field.lines === undefined ? (
    <TextField {...shared} />
  ) : (
    <TextArea {...shared} lines={field.lines} isCode={field.isCode === true} />
  )
}

/** A number is a text until it is one: what is written stays, and saving tells what is wrong with it. */
function NumberView({ field, pointer, value }: ViewProps<FieldOf<'number' | 'match'>>) {
  const set = useSetValue(pointer, field.label)
  const [typed, setTyped] = useState(textOf(value))
  const isNullable = field.kind === 'number' && field.isNullable === true
  const read = (text: string) => {
    const words = text.trim()
    if (words === '') return isNullable ? null : ''
    return Number.isFinite(Number(words)) ? Number(words) : words
  }
  const hint = field.kind === 'match' ? 'A number, random or all.' : field.hint
  return (
    <TextField
      label={field.label}
      name={pointer}
      inputMode={field.kind === 'match' ? 'text' : 'decimal'}
      value={isSame(read(typed), value) ? typed : textOf(value)}
      onChange={(text) => {
        setTyped(text)
        set(read(text))
      }}
      {...(hint === undefined ? {} : { hint })}
      {...(field.kind === 'number' && field.placeholder !== undefined
        ? { placeholder: field.placeholder }
        : {})}
    />
  )
}

function FlagView({ field, pointer, value }: ViewProps<FieldOf<'flag'>>) {
  const set = useSetValue(pointer, field.label)
  return (
    <div className="flex min-h-9 items-center">
      <Checkbox isSelected={value === true} onChange={set}>
        {field.label}
      </Checkbox>
    </div>
  )
}

/** Stands for null among the choices. */
const nothing = 'nothing chosen'

function ChoiceView({ field, pointer, value }: ViewProps<FieldOf<'choice'>>) {
  const set = useSetValue(pointer, field.label)
  const chosen = textOf(value)
  const known = field.choices.some(({ id }) => id === chosen)
  return (
    <Select
      label={field.label}
      name={pointer}
      value={value === null ? nothing : chosen}
      onChange={(id) => set(id === nothing ? null : field.isNumber === true ? Number(id) : id)}
      choices={[
        ...(field.isNullable === true ? [{ id: nothing, label: '–' }] : []),
        ...field.choices,
        ...(known || value === null ? [] : [{ id: chosen, label: chosen }]),
      ]}
    />
  )
}

function SeveralView({ field, pointer, value }: ViewProps<FieldOf<'several'>>) {
  const set = useSetValue(pointer, field.label)
  const message = useFieldMessage(pointer)
  const chosen = new Set(Array.isArray(value) ? value.map(textOf) : [])
  const toggle = (toggled: string, isChosen: boolean) => {
    const ids = field.choices.map(({ id }) => id).filter((id) => (id === toggled ? isChosen : chosen.has(id)))
    set(field.isNumber === true ? ids.map(Number) : ids)
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">{field.label}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {field.choices.map(({ id, label }) => (
          <Checkbox key={id} isSelected={chosen.has(id)} onChange={(isChosen) => toggle(id, isChosen)}>
            {label}
          </Checkbox>
        ))}
      </div>
      {field.hint === undefined ? null : <p className="text-sm text-muted">{field.hint}</p>}
      <Message message={message} />
    </fieldset>
  )
}

function ServerView({ field, pointer, value }: ViewProps<FieldOf<'server'>>) {
  const { servers } = useContext(EditingContext)
  const set = useSetValue(pointer, field.label)
  const id = textOf(value)
  const choices = servers.map((each) => ({ id: each.id, label: each.name, note: each.base_url }))
  if (!choices.some((choice) => choice.id === id))
    choices.unshift({ id, label: id === '' ? 'Choose a server' : id, note: 'not in this project' })
  return <Select label={field.label} name={pointer} value={id} onChange={set} choices={choices} />
}

function TextsView({ field, pointer, value }: ViewProps<FieldOf<'texts'>>) {
  const set = useSetValue(pointer, field.label)
  const texts = Array.isArray(value) ? value.map(textOf) : []
  const [typed, setTyped] = useState(texts.join('\n'))
  const shown = isSame(linesOf(typed), texts) ? typed : texts.join('\n')
  return (
    <TextArea
      label={field.label}
      name={pointer}
      lines={Math.min(8, Math.max(1, shown.split('\n').length))}
      value={shown}
      onChange={(text) => {
        setTyped(text)
        set(linesOf(text))
      }}
      {...(field.hint === undefined ? {} : { hint: field.hint })}
    />
  )
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

function ObjectView({ field, pointer, value }: ViewProps<FieldOf<'object'>>) {
  const set = useSetValue(pointer, field.label)
  const message = useFieldMessage(pointer)
  const shape = typeof field.shape === 'function' ? field.shape() : field.shape
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 border-l-2 border-line pl-3">
      <legend className="sr-only">{field.label}</legend>
      <div className="flex flex-wrap items-end justify-between gap-2">
        <span aria-hidden="true" className="text-sm font-semibold">
          {field.label}
        </span>
        {field.isNullable !== true || shape.by !== null ? null : isObject(value) ? (
          <Button variant="quiet" aria-label={`Without: ${field.label}`} onPress={() => set(null)}>
            <CloseIcon />
            Without
          </Button>
        ) : (
          <Button
            variant="quiet"
            aria-label={`With one: ${field.label}`}
            onPress={() => set(newPart(shape, ''))}
          >
            <PlusIcon />
            With one
          </Button>
        )}
      </div>
      <Message message={message} />
      {shape.by === null || (!isObject(value) && field.isNullable !== true) ? null : (
        <Select
          label={`Kind of ${field.label.toLowerCase()}`}
          hideLabel
          className="max-w-64"
          value={isObject(value) ? textOf(value[shape.by]) : nothing}
          onChange={(id) => set(id === nothing ? null : newPart(shape, id))}
          choices={[
            ...(field.isNullable === true ? [{ id: nothing, label: 'None' }] : []),
            ...kindChoices(shape),
          ]}
        />
      )}
      {isObject(value) ? <PartFields shape={shape} pointer={pointer} value={value} /> : null}
    </fieldset>
  )
}

function kindChoices({ variants }: Shape) {
  return Object.entries(variants).map(([id, { label }]: [string, Variant]) => ({ id, label }))
}

function PartFields({ shape, pointer, value }: { shape: Shape; pointer: string; value: JsonObject }) {
  const variant = variantOf(shape, value)
  return variant === undefined ? (
    <p className="text-sm text-muted">This kind has no form: look at its JSON.</p>
  ) : (
    <FieldRows fields={variant.fields} pointer={pointer} value={value} />
  )
}

/** Of a longer list only these have fields at once. */
const shownAtOnce = 100

function ListView({ field, pointer, value }: ViewProps<FieldOf<'list'>>) {
  const { change } = useContext(EditingContext)
  const message = useFieldMessage(pointer)
  const [shownCount, setShownCount] = useState(shownAtOnce)
  const items = objectsIn(value)
  const { shape, item, label } = field
  const kinds = kindChoices(shape)
  const add = (kind: string) => {
    const made = newPart(shape, kind)
    change(
      `Added ${withArticle(item)}`,
      Array.isArray(value)
        ? [{ op: 'add', path: inside(pointer, items.length), value: made }]
        : [{ op: 'add', path: pointer, value: [made] }],
    )
  }
  const heading = (
    <span className="text-sm font-semibold">
      {label}
      {items.length === 0 ? '' : ` (${items.length})`}
    </span>
  )
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 border-l-2 border-line pl-3">
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-wrap items-center justify-between gap-2">
        {heading}
        {shape.by === null ? (
          <Button variant="quiet" onPress={() => add('')}>
            <PlusIcon />
            Add {withArticle(item)}
          </Button>
        ) : (
          <Select
            label={`Add ${withArticle(item)}`}
            hideLabel
            className="w-52"
            value={nothing}
            onChange={(kind) => {
              if (kind !== nothing) add(kind)
            }}
            choices={[{ id: nothing, label: `Add ${withArticle(item)} …` }, ...kinds]}
          />
        )}
      </div>
      <Message message={message} />
      {items.length === 0 ? null : (
        <ol className={`flex flex-col ${field.isCompact === true ? 'gap-1.5' : 'gap-3'}`}>
          {items.slice(0, shownCount).map((each, index) => (
            <ListItem
              // Fields keep what is typed by their place; ids tell that something else stands there now.
              key={textOf(each['id']) || index}
              field={field}
              pointer={inside(pointer, index)}
              value={each}
              index={index}
              count={items.length}
            />
          ))}
        </ol>
      )}
      {items.length <= shownCount ? null : (
        <Button onPress={() => setShownCount((count) => count + shownAtOnce)}>
          Show more of {items.length}
        </Button>
      )}
    </fieldset>
  )
}

interface ItemProps {
  field: FieldOf<'list'>
  pointer: string
  value: JsonObject
  index: number
  count: number
}

function ListItem({ field, pointer, value, index, count }: ItemProps) {
  const { change } = useContext(EditingContext)
  const message = useFieldMessage(pointer)
  const { shape, item } = field
  const list = pointer.slice(0, pointer.lastIndexOf('/'))
  const move = (to: number) =>
    change(`Moved ${withArticle(item)}`, [{ op: 'move', from: pointer, path: inside(list, to) }])
  const buttons = (
    <span className="flex shrink-0">
      <IconButton
        label={`Move ${item} ${index + 1} up`}
        isDisabled={index === 0}
        onPress={() => move(index - 1)}
      >
        <ArrowUp />
      </IconButton>
      <IconButton
        label={`Move ${item} ${index + 1} down`}
        isDisabled={index === count - 1}
        onPress={() => move(index + 1)}
      >
        <ArrowDown />
      </IconButton>
      <IconButton
        label={`Remove ${item} ${index + 1}`}
        onPress={() => change(`Removed ${withArticle(item)}`, [{ op: 'remove', path: pointer }])}
      >
        <CloseIcon />
      </IconButton>
    </span>
  )
  if (field.isCompact === true) {
    return (
      <li className="flex flex-col gap-1">
        <div className="flex items-end gap-1">
          <div className="min-w-0 grow">
            <CompactFields field={field} pointer={pointer} value={value} isFirst={index === 0} />
          </div>
          {buttons}
        </div>
        <Message message={message} />
      </li>
    )
  }
  const name = shape.by === null ? item : (variantOf(shape, value)?.label ?? textOf(value[shape.by]))
  return (
    <li className="flex flex-col gap-2 rounded-md border border-line p-3">
      <div className="flex items-center justify-between gap-2">
        <span className="min-w-0 truncate font-medium">
          {index + 1}. {name}
        </span>
        {buttons}
      </div>
      <Message message={message} />
      <PartFields shape={shape} pointer={pointer} value={value} />
    </li>
  )
}

/** Fields in one row; only those of the first have their labels in sight. */
function CompactFields(props: {
  field: FieldOf<'list'>
  pointer: string
  value: JsonObject
  isFirst: boolean
}) {
  const { field, pointer, value, isFirst } = props
  const fields = variantOf(field.shape, value)?.fields ?? []
  return (
    <div className="flex flex-wrap items-end gap-x-2 gap-y-1 sm:flex-nowrap">
      {fields.map((each) => (
        <div
          key={each.name}
          className={`min-w-24 grow basis-0 ${each.size === 'third' ? '' : 'sm:grow-2'} ${isFirst ? '' : '[&_label]:sr-only'}`}
        >
          <FieldView field={each} pointer={inside(pointer, each.name)} value={value[each.name]} />
        </div>
      ))}
    </div>
  )
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

function Message({ message }: { message: string | undefined }) {
  return message === undefined ? null : <p className="text-sm text-worse">{message}</p>
}
