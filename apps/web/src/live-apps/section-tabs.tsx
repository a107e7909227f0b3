import { Link } from '@tanstack/react-router'
import { liveSections } from './live-sections.ts'

interface Props {
  current: string
  /** Sections that are told; undefined while that is not known. */
  told: ReadonlySet<string> | undefined
}

/** The sections of a live app or of a recording; those that are not told are pale. */
export function SectionTabs({ current, told }: Props) {
  return (
    <nav aria-label="Sections" className="flex flex-wrap gap-1">
      {liveSections.map(({ id, title }) => (
        <Link
          key={id}
          to="."
          search={(before) => ({ ...before, section: id })}
          replace
          aria-current={id === current ? 'page' : undefined}
          className={`rounded-full px-3 py-1.5 hover:bg-hover aria-[current]:bg-accent-soft aria-[current]:text-accent ${
            told === undefined || told.has(id) ? '' : 'text-muted'
          }`}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
