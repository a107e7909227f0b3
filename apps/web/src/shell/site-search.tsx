import { operations, type AnswerOf } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { useAnswer } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { SearchIcon } from '../components/icons.tsx'
import { menuItemClass } from '../components/menu-class.ts'
import { ProblemNote } from '../components/problem-note.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonLine } from '../components/skeleton.tsx'

type Found = AnswerOf<typeof operations.search>['results'][number]

const titles: Record<Found['kind'], string> = {
  project: 'Projects',
  run: 'Runs',
  benchmark: 'Benchmarks',
  profile: 'Profiles',
  virtual_user: 'Virtual users',
  report: 'Reports',
}

/** Waits until a person pauses typing. */
const pauseMs = 150

/** The way to everything by words: a button in the header, or the key `/`. */
export function SiteSearch() {
  const [isOpen, setOpen] = useState(false)
  useSlashKey(() => setOpen(true))
  return (
    <>
      <Button
        variant="quiet"
        aria-label="Search"
        aria-keyshortcuts="/"
        onPress={() => setOpen(true)}
        className="max-sm:px-2.5"
      >
        <SearchIcon />
        <span className="hidden sm:inline">Search</span>
        <kbd className="hidden rounded-sm border border-line px-1.5 text-sm text-muted lg:inline">/</kbd>
      </Button>
      <Dialog title="Search" isOpen={isOpen} onClose={() => setOpen(false)}>
        <SearchPanel onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function SearchPanel({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState('')
  const query = usePaused(text.trim())
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const answer = useAnswer(
    operations.search,
    { query, limit: 30 },
    { enabled: query !== '', keepPrevious: true },
  )
  useEffect(() => input.current?.focus(), [])

  const results = query === '' ? [] : (answer.data?.results ?? [])
  // The group of the best result comes first, so that Enter opens it.
  const groups = [...new Set(results.map((each) => each.kind))]
  const open = (id: string) => {
    const chosen = results.find((each) => each.id === id)
    if (chosen === undefined) return
    onDone()
    void navigate({ to: new URL(chosen.url).pathname })
  }
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <SearchField
        label="Projects, runs, benchmarks, profiles, virtual users"
        value={text}
        onChange={setText}
        inputRef={input}
      />
      {answer.isError ? <ProblemNote error={answer.error} onRetry={() => void answer.refetch()} /> : null}
      <ListBox
        aria-label="What was found"
        onAction={(key) => open(String(key))}
        renderEmptyState={() => (
          <Nothing query={query} isPending={answer.isPending} isError={answer.isError} />
        )}
        className="-mx-2 max-h-[55vh] overflow-y-auto outline-none"
      >
        {groups.map((kind) => (
          <ResultSection
            key={kind}
            title={titles[kind]}
            results={results.filter((each) => each.kind === kind)}
          />
        ))}
      </ListBox>
    </Autocomplete>
  )
}

function ResultSection({ title, results }: { title: string; results: readonly Found[] }) {
  return (
    <ListBoxSection>
      <Header className="px-2.5 pt-2 pb-1 text-sm text-muted">{title}</Header>
      {results.map((result) => (
        <ListBoxItem key={result.id} id={result.id} textValue={result.title} className={menuItemClass}>
          <span className="min-w-0 grow">
            <span className="block truncate font-medium">{result.title}</span>
            <span className="block truncate text-sm text-muted">
              {[result.kind === 'project' ? '' : result.project, result.snippet].filter(Boolean).join(' · ')}
            </span>
          </span>
        </ListBoxItem>
      ))}
    </ListBoxSection>
  )
}

function Nothing({ query, isPending, isError }: { query: string; isPending: boolean; isError: boolean }) {
  if (isError) return null
  if (query === '') {
    return (
      <p className="px-2.5 py-2 text-muted">
        Words of a name, a tag, a branch, the beginning of a commit hash, or a commit message.
      </p>
    )
  }
  return (
    <p className="px-2.5 py-2 text-muted">
      {isPending ? <SkeletonLine /> : 'Nothing has all of these words. Try fewer, or only their beginnings.'}
    </p>
  )
}

/** The value as it was when it last stayed the same for a moment. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}

/** Calls back for the key `/`, unless it is typed into something. */
function useSlashKey(onSlash: () => void) {
  const latest = useRef(onSlash)
  useEffect(() => {
    latest.current = onSlash
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (
        event.defaultPrevented ||
        event.key !== '/' ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTyping(event.target)
      )
        return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
