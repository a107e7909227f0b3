import { formatQuantity, operations, type AnswerOf, type RawInputOf } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { RowPages } from '../components/row-pages.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { DiffLines } from './diff-lines.tsx'

type Input = RawInputOf<typeof operations.getValidationFailureDetail>
export type Detail = AnswerOf<typeof operations.getValidationFailureDetail>
export type BodyFacts = Detail['exchanges'][number]['request_body']

/** Which action of a validation, and which of its exchanges. */
export type ExchangeAddress = Pick<Input, 'validation_id' | 'action_id' | 'sequence' | 'exchange'>

/** Characters of a body that are shown at once. */
const pageCharacters = 20_000
const linesMax = 28

interface Props {
  /** What it is the body of. */
  label: string
  address: ExchangeAddress
  which: Exclude<NonNullable<Input['body']>, 'none'>
  isRaw: boolean
}

/** What is known of a body, and its text where it is kept. */
export function BodyView({ facts, ...props }: Props & { facts: BodyFacts }) {
  if (facts === null) return <p className="text-muted">No body.</p>
  const { content_type, size_bytes, encoding, is_kept, is_cut } = facts
  const words = [
    content_type ?? 'of no type',
    formatQuantity(size_bytes, 'bytes'),
    ...(encoding === 'base64' ? ['shown as base64'] : []),
    ...(is_kept ? [] : ['its content is not kept']),
    ...(is_kept && is_cut ? ['only its beginning is kept'] : []),
  ]
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <p className="text-sm break-words text-muted">{words.join(', ')}</p>
      {is_kept ? <BodyText key={`${props.address.exchange} ${props.isRaw}`} {...props} /> : null}
    </div>
  )
}

/** The text of a body, or the difference of two, a page at a time. */
export function BodyText({ label, address, which, isRaw }: Props) {
  const [offset, setOffset] = useState(0)
  const query = useAnswer(
    operations.getValidationFailureDetail,
    { ...address, body: which, pretty: !isRaw, max_characters: pageCharacters, offset },
    { keepPrevious: true },
  )
  return (
    <Answer query={query} skeleton={<SkeletonBlock height="12rem" />}>
      {({ text, text_characters: count }) => (
        <div className="flex flex-col gap-2">
          {text === null || text === '' ? (
            <p className="text-muted">Empty.</p>
          ) : which === 'diff' ? (
            <DiffLines text={text} />
          ) : (
            <textarea
              aria-label={label}
              readOnly
              spellCheck={false}
              rows={Math.min(linesMax, text.split('\n').length + 1)}
              value={text}
              className="w-full resize-y rounded-md border border-line bg-sunken p-3 font-mono text-sm break-all"
            />
          )}
          {count > pageCharacters ? (
            <RowPages
              label={`Characters of ${label.toLowerCase()}`}
              start={offset}
              end={Math.min(count, offset + pageCharacters)}
              count={count}
              onBack={() => setOffset(Math.max(0, offset - pageCharacters))}
              onOn={() => setOffset(offset + pageCharacters)}
            />
          ) : null}
        </div>
      )}
    </Answer>
  )
}
