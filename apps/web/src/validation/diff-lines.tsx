import { foldSame } from './fold-same.ts'

const looks = {
  '-': 'bg-worse-soft text-worse',
  '+': 'bg-better-soft text-better',
  ' ': '',
  '…': 'text-muted italic',
} as const

/** Lines that begin with `-` (recorded), `+` (replayed) or a space; long runs of equal ones are left out. */
export function DiffLines({ text }: { text: string }) {
  const lines = foldSame(text.split('\n'))
  if (lines.every(({ sign }) => sign === '…' || sign === ' '))
    return <p className="rounded-md bg-better-soft px-3 py-2">Both answers are the same.</p>
  return (
    <pre className="rounded-md border border-line bg-sunken py-2 text-sm">
      {lines.map(({ sign, words, at }) => (
        <span key={at} className={`block min-h-5 px-3 break-all whitespace-pre-wrap ${looks[sign]}`}>
          {sign === '…' ? words : `${sign} ${words}`}
        </span>
      ))}
    </pre>
  )
}
