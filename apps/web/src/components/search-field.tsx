import { Button, Input, SearchField as AriaSearchField } from 'react-aria-components/SearchField'
import type { Ref } from 'react'
import { CloseIcon, SearchIcon } from './icons.tsx'
import { inputClass } from './text-field.tsx'

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
  className?: string
  inputRef?: Ref<HTMLInputElement>
}

/** A filter box; its label is its placeholder and its accessible name. */
export function SearchField({ label, value, onChange, className = '', inputRef }: Props) {
  return (
    <AriaSearchField
      aria-label={label}
      value={value}
      onChange={onChange}
      className={`group relative min-w-0 ${className}`}
    >
      <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-muted">
        <SearchIcon />
      </span>
      <Input
        ref={inputRef}
        placeholder={label}
        className={`${inputClass} px-8.5! [&::-webkit-search-cancel-button]:hidden`}
      />
      <Button
        aria-label={`Clear: ${label}`}
        className="absolute inset-y-0 right-1 my-auto flex size-7 items-center justify-center rounded-sm text-muted group-data-empty:hidden hover:bg-hover"
      >
        <CloseIcon />
      </Button>
    </AriaSearchField>
  )
}
