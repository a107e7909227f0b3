import { problemWords } from '../problem-words.ts'
import { Button } from './button.tsx'
import { WarningIcon } from './icons.tsx'

interface Props {
  error: unknown
  onRetry?: () => void
  /** Only what happened, where the place says the rest. */
  isBrief?: boolean
}

/** An error in its place: title, detail, the request id, and a way to try again when there is one. */
export function ProblemNote({ error, onRetry, isBrief = false }: Props) {
  const { title, detail, requestId } = problemWords(error)
  return (
    <div role="alert" className="flex gap-3 rounded-lg border border-worse/30 bg-worse-soft p-4">
      <span className="mt-0.5 text-worse">
        <WarningIcon />
      </span>
      <div className="flex min-w-0 flex-col items-start gap-1 wrap-anywhere">
        {isBrief ? null : <p className="font-medium text-worse">{title}</p>}
        {detail === title && !isBrief ? null : <p>{detail}</p>}
        {requestId === undefined || isBrief ? null : (
          <p className="text-sm text-muted">
            Request <code>{requestId}</code>
          </p>
        )}
        {onRetry === undefined ? null : (
          <Button onPress={onRetry} className="mt-2">
            Try again
          </Button>
        )}
      </div>
    </div>
  )
}
