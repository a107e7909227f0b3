import type { ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { CloseIcon } from '../components/icons.tsx'
import { SearchField } from '../components/search-field.tsx'
import { ToggleButton } from '../components/toggle-button.tsx'
import { useTypedWords } from '../profile-views/use-typed-words.ts'
import type { DesignSearch } from './design-search.ts'

interface Props {
  label: string
  search: DesignSearch
  onChange: (part: DesignSearch) => void
  /** Beside it. */
  children?: ReactNode
}

/** Narrows a list of designs: by words, by a tag, or to those that were deleted. */
export function DesignFilter({ label, search: { search, tag, deleted }, onChange, children }: Props) {
  const [typed, setTyped] = useTypedWords(search, (words) => onChange({ search: words }))
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField label={label} value={typed} onChange={setTyped} className="w-64 max-sm:grow" />
      {tag === undefined ? null : (
        <Button onPress={() => onChange({ tag: '' })} aria-label={`No longer only those tagged ${tag}`}>
          {tag}
          <CloseIcon />
        </Button>
      )}
      <ToggleButton
        isSelected={deleted === 'yes'}
        onChange={(isSelected) => onChange({ deleted: isSelected ? 'yes' : '' })}
      >
        Deleted
      </ToggleButton>
      {children}
    </div>
  )
}
