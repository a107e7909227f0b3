import { type AnswerOf, formatQuantity, type operations } from '@flamegate/contract'

interface Props {
  answer: AnswerOf<typeof operations.analyzeProfile>
  shown: number
  /** What a row is, such as a function. */
  noun: string
}

/** How much rows are of the whole, and what all that were found have together. */
export function SharesLine({ answer, shown, noun }: Props) {
  const { row_count, covered_value, covered_percent, unit, total_value } = answer
  return (
    <p aria-live="polite" className="text-sm text-muted">
      {shown < row_count ? `The top ${shown} of ` : ''}
      {row_count.toLocaleString()} {noun}
      {row_count === 1 ? '' : 's'}
      {covered_value === null || covered_percent === null ? (
        `, ${formatQuantity(total_value, unit)} in all`
      ) : (
        <>
          {' '}
          found, together <strong className="font-semibold text-text">
            {covered_percent.toFixed(1)} %
          </strong>{' '}
          of {formatQuantity(total_value, unit)}
        </>
      )}
      .
    </p>
  )
}
