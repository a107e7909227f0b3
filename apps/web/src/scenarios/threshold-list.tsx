import {
  parseThreshold,
  type Threshold,
  threshold as thresholdSchema,
  ThresholdTextError,
  thresholdText,
} from '@flamegate/loadtest/scenario'
import { useContext } from 'react'
import { Button, IconButton } from '../components/button.tsx'
import { FormMessages, useFieldMessage } from '../components/form-messages.ts'
import { CloseIcon, PlusIcon } from '../components/icons.tsx'
import { Section } from '../components/section.tsx'
import { TextField } from '../components/text-field.tsx'
import { EditingContext } from '../documents/editing.ts'
import { setting } from '../documents/json-patch.ts'

interface Props {
  /** As saved, or as somebody writes them. */
  thresholds: readonly unknown[]
  mayChange: boolean
}

const exampleText = 'p95 duration < 500 ms'

/** What a run must keep to, each a line of text; what is wrong with one shows while it is written. */
export function ThresholdList({ thresholds, mayChange }: Props) {
  const { change } = useContext(EditingContext)
  const add = () =>
    change('Added a threshold', (document) => [
      Array.isArray(document['thresholds'])
        ? { op: 'add', path: `/thresholds/${document['thresholds'].length}`, value: exampleText }
        : { op: 'add', path: '/thresholds', value: [exampleText] },
    ])
  return (
    <Section
      title="Thresholds"
      aside={
        mayChange ? (
          <Button onPress={add}>
            <PlusIcon />
            Add a threshold
          </Button>
        ) : undefined
      }
    >
      {thresholds.length === 0 ? (
        <p className="text-muted">
          None: a run then only tells how fast it was. One is a line such as <code>{exampleText}</code>,{' '}
          <code>error share &lt; 1 %, abort after 30 s</code> or{' '}
          <code>p99 duration of container &quot;checkout&quot; &lt; 1 s</code>.
        </p>
      ) : (
        <ol className="flex flex-col gap-2">
          {thresholds.map((threshold, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- they have no ids: their place is what patches name
            <li key={index} className="flex items-start gap-2">
              <ThresholdField value={threshold} index={index} mayChange={mayChange} />
              {mayChange ? (
                <IconButton
                  label={`Remove threshold ${index + 1}`}
                  onPress={() =>
                    change('Removed a threshold', [{ op: 'remove', path: `/thresholds/${index}` }])
                  }
                >
                  <CloseIcon />
                </IconButton>
              ) : null}
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

interface FieldProps {
  value: unknown
  index: number
  mayChange: boolean
}

function ThresholdField({ value, index, mayChange }: FieldProps) {
  const { change } = useContext(EditingContext)
  const pointer = `/thresholds/${index}`
  const refused = useFieldMessage(pointer)
  const text = wordsOf(value)
  const fault = faultOf(text) ?? refused
  return (
    <FormMessages value={fault === undefined ? {} : { [pointer]: fault }}>
      <TextField
        label={`Threshold ${index + 1}`}
        className="grow [&_label]:sr-only"
        name={pointer}
        value={text}
        isReadOnly={!mayChange}
        spellCheck="false"
        maxLength={400}
        onChange={(next) => change('Changed a threshold', (document) => [setting(document, pointer, next)])}
      />
    </FormMessages>
  )
}

/** The text of a threshold, whether it is saved or being written. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  const read = thresholdSchema.safeParse(value)
  return read.success ? thresholdText(read.data) : JSON.stringify(value)
}

function faultOf(text: string): string | undefined {
  let written: Threshold
  try {
    written = parseThreshold(text)
  } catch (error) {
    if (error instanceof ThresholdTextError) return `${error.message}.`
    throw error
  }
  return thresholdSchema.safeParse(written).error?.issues[0]?.message
}
