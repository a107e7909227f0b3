import { operations } from '@flamegate/contract'
import { useDeferredValue, useState } from 'react'
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components/ComboBox'
import { useAnswer } from '../api.ts'
import { problemWords } from '../problem-words.ts'
import { ChevronDown } from './icons.tsx'
import { popoverClass } from './popover-class.ts'
import { inputClass } from './text-field.tsx'

interface Props {
  label: string
  projectId: string
  /** Id of the chosen benchmark; empty for none. */
  value: string
  onChange: (benchmarkId: string) => void
  /** Is no choice, such as the benchmark that another is looked for. */
  without?: string
  /** Said while nothing is chosen. */
  placeholder: string
}

/** One of the benchmarks of a project, found by a part of its uri. */
export function BenchmarkPicker({ label, projectId, value, onChange, without, placeholder }: Props) {
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const { data, error } = useAnswer(
    operations.listBenchmarks,
    { repository: projectId, state: 'all', limit: 50, ...(search === '' ? {} : { search }) },
    { keepPrevious: true },
  )
  const choices = (data?.benchmarks ?? []).filter(({ id }) => id !== without)
  const whyMissing = error === null ? 'Loading…' : problemWords(error).detail
  const whyNone = data === undefined ? whyMissing : 'No benchmark fits.'
  return (
    <ComboBox
      items={choices}
      inputValue={text}
      onInputChange={(next) => {
        setText(next)
        if (next === '') onChange('')
      }}
      selectedKey={value === '' ? null : value}
      onSelectionChange={(key) => {
        const chosen = choices.find(({ id }) => id === key)
        if (chosen === undefined) return
        setText(chosen.uri)
        onChange(chosen.id)
      }}
      allowsEmptyCollection
      menuTrigger="focus"
      className="relative flex min-w-0 flex-col gap-1"
    >
      <Label className="text-sm font-medium">{label}</Label>
      <div className="relative">
        <Input placeholder={value === '' ? placeholder : value} className={`${inputClass} pr-9!`} />
        <Button className="absolute inset-y-0 right-1 my-auto flex size-7 items-center justify-center rounded-sm text-muted hover:bg-hover">
          <ChevronDown />
        </Button>
      </div>
      <Popover className={`${popoverClass} w-(--trigger-width)`}>
        <ListBox
          className="outline-none"
          renderEmptyState={() => <p className="px-2.5 py-1.5 text-muted">{whyNone}</p>}
        >
          {(benchmark: (typeof choices)[number]) => (
            <ListBoxItem
              id={benchmark.id}
              textValue={benchmark.uri}
              className="cursor-default rounded-sm px-2.5 py-1.5 outline-none data-focused:bg-hover data-selected:font-medium"
            >
              <span className="block truncate">{benchmark.name}</span>
              <span className="block truncate text-sm text-muted">{benchmark.uri}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
