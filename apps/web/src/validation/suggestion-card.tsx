import type { AnswerOf, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Badge } from '../components/badge.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { markValue } from './mark-value.ts'

export type Suggestion = AnswerOf<typeof operations.suggestCorrelations>['suggestions'][number]

interface Props {
  virtualUserId: string
  suggestion: Suggestion
  /** The address leads to this one. */
  isMeant: boolean
  isTicked: boolean
  /** Undefined for who may not apply it. */
  onTick: ((isTicked: boolean) => void) | undefined
}

/** A value that came in an answer and was sent later, with the evidence. */
export function SuggestionCard({ virtualUserId, suggestion, isMeant, isTicked, onTick }: Props) {
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isMeant) card.current?.scrollIntoView({ block: 'center' })
  }, [isMeant])
  const { variable, confidence, why, recorded_value, replayed_values, source, uses } = suggestion
  const name = <span className="font-mono font-medium break-all">{`\${${variable}}`}</span>
  return (
    <li
      ref={card}
      className={`flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-4 ${isMeant ? 'border-accent' : 'border-line'}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {onTick === undefined ? (
          name
        ) : (
          <Checkbox isSelected={isTicked} onChange={onTick}>
            {name}
          </Checkbox>
        )}
        <Badge tone={confidence >= 0.8 ? 'better' : confidence >= 0.5 ? 'accent' : 'caution'}>
          {Math.round(confidence * 100)} % sure
        </Badge>
      </div>
      <p className="max-w-prose">{why}</p>
      <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[7.5rem_minmax(0,1fr)]">
        <dt className="text-muted">Recorded value</dt>
        <dd className="font-mono text-sm break-all">{recorded_value}</dd>
        {replayed_values.length === 0 ? null : (
          <>
            <dt className="text-muted">In the replay</dt>
            <dd className="font-mono text-sm break-all">
              {[...replayed_values.entries()].map(([run, value]) => (
                <span key={run} className="block">
                  {value}
                  {value === recorded_value ? <span className="text-muted"> (the same)</span> : null}
                </span>
              ))}
            </dd>
          </>
        )}
        <dt className="text-muted">Came from</dt>
        <dd className="min-w-0">
          <Place virtualUserId={virtualUserId} place={source} value={recorded_value} />
        </dd>
        <dt className="text-muted">
          {uses.length === 1 ? 'Is sent in' : `Is sent in ${uses.length} places`}
        </dt>
        <dd className="flex min-w-0 flex-col gap-2">
          {uses.slice(0, shownUses).map((use) => (
            <Place
              key={`${use.action_id} ${use.where} ${use.snippet}`}
              virtualUserId={virtualUserId}
              place={use}
              value={recorded_value}
            />
          ))}
          {uses.length > shownUses ? (
            <span className="text-muted">and {uses.length - shownUses} more</span>
          ) : null}
        </dd>
        <dt className="text-muted">Taken out by</dt>
        <dd className="font-mono text-sm break-all">
          {Object.entries(suggestion.extractor)
            .filter(([, value]) => value !== null)
            .map(([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
            .join(', ')}
        </dd>
      </dl>
    </li>
  )
}

const shownUses = 5

interface PlaceProps {
  virtualUserId: string
  place: Suggestion['source']
  /** Is marked in the snippet. */
  value: string
}

function Place({ virtualUserId, place: { action_id, name, where, snippet }, value }: PlaceProps) {
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      <span className="break-words">
        <Link
          to="/virtual-users/$virtualUserId"
          params={{ virtualUserId }}
          search={{ action: action_id }}
          className="text-link"
        >
          {name || action_id}
        </Link>
        , {where}
      </span>
      <code className="rounded-md bg-sunken px-2 py-1 text-sm break-all">
        {markValue(snippet, value).map(({ text, isMarked, at }) =>
          isMarked ? (
            <mark key={at} className="rounded-sm bg-caution-soft font-medium text-text">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </code>
    </span>
  )
}
