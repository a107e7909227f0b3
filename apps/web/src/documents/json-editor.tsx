import { useContext, useMemo, useRef, useState } from 'react'
import { FormMessages } from '../components/form-messages.ts'
import { EditingContext } from './editing.ts'
import { isObject, isSame } from './json.ts'
import { printJson } from './print-json.ts'

interface Props {
  /** JSON pointer of what is edited. */
  pointer: string
  value: unknown
  /** What it is. */
  label: string
}

/** Longer JSON makes the page slow: parts of it are edited then. */
const charactersMax = 1_500_000

/** JSON as text. What is valid JSON is taken over as it is typed; what saving was refused for is told beside its line. */
export function JsonEditor({ pointer, value, label }: Props) {
  const { change } = useContext(EditingContext)
  const messages = useContext(FormMessages)
  const printed = useMemo(() => printJson(value), [value])
  const [typed, setTyped] = useState<{ text: string; value: unknown }>()
  const [fault, setFault] = useState<string>()
  const box = useRef<HTMLTextAreaElement>(null)
  // What was typed stays as it was written until the value is another one.
  const isTyped = typed !== undefined && (fault !== undefined || isSame(typed.value, value))
  const text = isTyped ? typed.text : printed.text
  if (printed.text.length > charactersMax) {
    return <p className="text-muted">This JSON is too long to be edited at once. Choose an action of it.</p>
  }
  const faults = Object.entries(messages).flatMap(([place, message]) => {
    if (place !== pointer && !place.startsWith(`${pointer}/`)) return []
    const own = place.slice(pointer.length)
    return [{ own, message, line: lineOf(printed.lineOf, own) }]
  })
  const type = (next: string) => {
    const read = parsed(next)
    if ('fault' in read) {
      setTyped({ text: next, value: undefined })
      setFault(read.fault)
      return
    }
    setTyped({ text: next, value: read.value })
    setFault(undefined)
    if (!isSame(read.value, value))
      change('Edited JSON', [{ op: 'replace', path: pointer, value: read.value }])
  }
  const show = (line: number) => {
    const start = text.split('\n').slice(0, line).join('\n').length + (line === 0 ? 0 : 1)
    box.current?.focus()
    box.current?.setSelectionRange(start, start + (text.split('\n')[line] ?? '').length)
  }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {fault === undefined ? null : (
        <p role="alert" className="text-sm text-worse">
          Not JSON yet, and not taken over: {fault}
        </p>
      )}
      {faults.length === 0 ? null : (
        <ul className="flex flex-col gap-1 text-sm text-worse">
          {faults.map(({ own, message, line }) => (
            <li key={own}>
              <button
                type="button"
                className="rounded-sm text-left underline decoration-dotted hover:decoration-solid"
                onClick={() => show(line)}
              >
                Line {line + 1}, <code>{own === '' ? 'all of it' : own}</code>
              </button>
              : {message}
            </li>
          ))}
        </ul>
      )}
      <div className="flex max-h-[70vh] overflow-auto rounded-md border border-line-strong bg-surface focus-within:outline-2 focus-within:outline-offset-[-1px] focus-within:outline-accent">
        <pre
          aria-hidden="true"
          className="sticky left-0 h-fit min-h-full shrink-0 border-r border-line bg-sunken px-2 py-2 text-right font-mono text-sm text-muted select-none"
        >
          {lineNumbers(text)}
        </pre>
        <textarea
          ref={box}
          aria-label={label}
          aria-invalid={fault !== undefined || faults.length > 0}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          rows={text.split('\n').length}
          wrap="off"
          spellCheck={false}
          className="field-sizing-content min-w-0 grow resize-none overflow-hidden px-3 py-2 font-mono text-sm whitespace-pre outline-none"
        />
      </div>
      <p className="text-sm text-muted">
        The{' '}
        <a href="/mcp/public/schema/vu.json" target="_blank" rel="noreferrer" className="text-link">
          JSON Schema
        </a>{' '}
        says what may stand here.
      </p>
    </div>
  )
}

function parsed(text: string): { value: unknown } | { fault: string } {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? { value } : { fault: 'it has to be an object.' }
  } catch (error) {
    return { fault: error instanceof SyntaxError ? error.message : String(error) }
  }
}

function lineNumbers(text: string): string {
  return Array.from({ length: text.split('\n').length }, (_, line) => line + 1).join('\n')
}

/** The line of a place; of one that is not there, that of what it would be in. */
function lineOf(lines: ReadonlyMap<string, number>, pointer: string): number {
  return (
    lines.get(pointer) ?? (pointer === '' ? 0 : lineOf(lines, pointer.slice(0, pointer.lastIndexOf('/'))))
  )
}
