import { useId, useState } from 'react'
import { Button } from './button.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

interface Props {
  /** What is copied: the accessible name. */
  label: string
  value: string
  hideLabel?: boolean
  /** Words to say, which wrap as sentences do. */
  isProse?: boolean
}

/** Text to take elsewhere: an address, a command, a secret. Long lines scroll; line breaks stay. */
export function CopyField({ label, value, hideLabel = false, isProse = false }: Props) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span id={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </span>
      <div className="flex min-w-0 items-start rounded-md border border-line bg-sunken">
        {isProse ? (
          <p className="min-w-0 grow px-3 py-2">{value}</p>
        ) : (
          <textarea
            aria-labelledby={id}
            readOnly
            wrap="off"
            spellCheck={false}
            rows={value.split('\n').length}
            value={value}
            onFocus={(event) => event.currentTarget.select()}
            className="min-w-0 grow resize-none overflow-x-auto rounded-md px-3 py-2 font-mono text-sm text-text"
          />
        )}
        <CopyButton value={value} label={label} />
      </div>
    </div>
  )
}

function CopyButton({ value, label }: { value: string; label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  const words = { idle: 'Copy', copied: 'Copied', refused: 'Select and copy' }[state]
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setState('copied')
    } catch {
      // The clipboard is closed to pages without a secure origin; the text can still be selected.
      setState('refused')
    }
    setTimeout(() => setState('idle'), 2500)
  }
  return (
    <Button variant="quiet" aria-label={`${words}: ${label}`} onPress={() => void copy()} className="m-0.5">
      {state === 'copied' ? <CheckIcon /> : <CopyIcon />}
      <span aria-live="polite">{words}</span>
    </Button>
  )
}
