import { formatQuantity, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { IconButton } from '../components/button.tsx'
import { CloseIcon } from '../components/icons.tsx'
import { keepCurrentInSight } from '../components/keep-current-in-sight.ts'
import { Select } from '../components/select.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { ToggleButton } from '../components/toggle-button.tsx'
import { actionTitle } from '../virtual-users/action-words.ts'
import { type BodyFacts, BodyText, BodyView, type Detail, type ExchangeAddress } from './body-view.tsx'
import type { ChangeExchangeSearch, ExchangeSearch } from './exchange-search.ts'
import { HeaderTable } from './header-table.tsx'
import { Overview } from './overview.tsx'
import { pathOf } from './path-of.ts'

interface Props {
  validationId: string
  actionId: string
  /** Undefined for the first of the action. */
  sequence: number | undefined
  search: ExchangeSearch
  change: ChangeExchangeSearch
}

const outcomeTones = { passed: 'better', failed: 'worse', skipped: 'plain' } as const

/** One action of a validation: what was checked and set, and its exchanges beside the recorded one. */
export function ExchangeViewer({ validationId, actionId, sequence, search, change }: Props) {
  const address: ExchangeAddress = {
    validation_id: validationId,
    action_id: actionId,
    ...(sequence === undefined ? {} : { sequence }),
    exchange: Number(search.exchange) || 0,
  }
  const query = useAnswer(operations.getValidationFailureDetail, address, { keepPrevious: true })
  const section = useRef<HTMLElement>(null)
  const isThere = query.data !== undefined
  useEffect(() => {
    // A link leads to it, and on narrow screens it stands above the list that it was chosen from.
    if (isThere) section.current?.scrollIntoView({ block: 'nearest' })
  }, [isThere])
  return (
    <section
      ref={section}
      aria-label="Chosen action"
      className="relative flex min-w-0 scroll-mt-4 flex-col gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <Answer query={query} skeleton={<SkeletonBlock height="24rem" />}>
        {(detail) => (
          <div className="flex flex-col gap-4">
            <Heading detail={detail} />
            {detail.recorded === null && detail.exchanges.length === 0 ? (
              <Overview detail={detail} />
            ) : (
              <Parts detail={detail} address={address} search={search} change={change} />
            )}
          </div>
        )}
      </Answer>
      <IconButton
        label="Close"
        onPress={() => change({ action: '', sequence: '', part: '', exchange: '' })}
        className="absolute! top-2.5 right-2.5"
      >
        <CloseIcon />
      </IconButton>
    </section>
  )
}

function Heading({ detail }: { detail: Detail }) {
  const { action } = detail
  return (
    <div className="flex flex-col gap-1.5 pr-10">
      <h2 className="flex flex-wrap items-center gap-2 text-lg font-semibold">
        <span className="min-w-0 break-words">{actionTitle({ name: action.name, type: action.type })}</span>
        <Badge tone={outcomeTones[action.outcome]}>{action.outcome}</Badge>
      </h2>
      <p>{detail.judgement}</p>
      <p className="text-sm text-muted">
        Iteration {action.iteration}, {formatQuantity(action.duration_ms, 'ms')}.{' '}
        <Link
          to="/virtual-users/$virtualUserId"
          params={{ virtualUserId: detail.virtual_user_id }}
          search={{ action: action.action_id }}
          className="text-link"
        >
          Open it in the editor
        </Link>
      </p>
    </div>
  )
}

const parts = { overview: 'Overview', request: 'Request', answer: 'Answer', diff: 'Difference' } as const
type Part = keyof typeof parts

function isPart(word: string | undefined): word is Part {
  return word !== undefined && Object.hasOwn(parts, word)
}

interface PartsProps {
  detail: Detail
  address: ExchangeAddress
  search: ExchangeSearch
  change: ChangeExchangeSearch
}

function Parts({ detail, address, search, change }: PartsProps) {
  const index = address.exchange ?? 0
  const exchange = detail.exchanges[index]
  const { recorded } = detail
  const isRaw = search.raw === 'true'
  const hasBoth = recorded !== null && exchange !== undefined
  return (
    <Tabs
      selectedKey={isPart(search.part) ? search.part : 'overview'}
      onSelectionChange={(part) => change({ part: part === 'overview' ? '' : String(part) })}
      className="flex min-w-0 flex-col gap-4"
    >
      <TabList
        ref={keepCurrentInSight}
        aria-label="Parts"
        className="-mx-4 flex overflow-x-auto border-b border-line px-2"
      >
        {Object.entries(parts)
          .filter(([id]) => id !== 'diff' || hasBoth)
          .map(([id, label]) => (
            <Tab
              key={id}
              id={id}
              className="-mb-px cursor-pointer border-b-2 border-transparent px-3 py-2 whitespace-nowrap text-muted data-focus-visible:outline-offset-[-2px] data-hovered:text-text data-selected:border-accent data-selected:font-medium data-selected:text-text"
            >
              {label}
            </Tab>
          ))}
      </TabList>
      {search.part === undefined ? null : (
        <div className="flex flex-wrap items-center gap-2">
          {detail.exchanges.length > 1 ? (
            <Select
              label="Exchange"
              hideLabel
              className="w-full max-w-md"
              value={String(index)}
              onChange={(id) => change({ exchange: id === '0' ? '' : id })}
              choices={detail.exchanges.map((each, place) => ({
                id: String(place),
                label: `${each.method} ${pathOf(each.request_url)}`,
                note: [each.role, each.status ?? 'no answer'].join(', '),
              }))}
            />
          ) : null}
          <ToggleButton isSelected={isRaw} onChange={(next) => change({ raw: next ? 'true' : '' })}>
            Raw
          </ToggleButton>
        </div>
      )}
      <TabPanel id="overview">
        <Overview detail={detail} />
      </TabPanel>
      <TabPanel id="request" className="flex flex-col gap-4">
        <SideBySide
          recorded={
            recorded === null ? null : (
              <RequestLine
                method={recorded.method}
                url={recorded.request_url}
                other={exchange?.request_url}
              />
            )
          }
          replayed={
            exchange === undefined ? null : (
              <RequestLine
                method={exchange.method}
                url={exchange.request_url}
                other={recorded?.request_url}
              />
            )
          }
        />
        <HeaderTable
          label="Headers of the request"
          recorded={recorded?.request_headers ?? null}
          replayed={exchange?.request_headers ?? []}
        />
        <Bodies
          of="request"
          recorded={recorded?.request_body}
          replayed={exchange?.request_body}
          address={address}
          isRaw={isRaw}
        />
      </TabPanel>
      <TabPanel id="answer" className="flex flex-col gap-4">
        <SideBySide
          recorded={recorded === null ? null : <StatusLine exchange={recorded} />}
          replayed={exchange === undefined ? null : <StatusLine exchange={exchange} />}
        />
        <HeaderTable
          label="Headers of the answer"
          recorded={recorded?.response_headers ?? null}
          replayed={exchange?.response_headers ?? []}
        />
        <Bodies
          of="answer"
          recorded={recorded?.response_body}
          replayed={exchange?.response_body}
          address={address}
          isRaw={isRaw}
        />
      </TabPanel>
      {hasBoth ? (
        <TabPanel id="diff" className="flex flex-col gap-3">
          <p className="text-sm text-muted">
            The recorded answer (−) and the replayed one (+){isRaw ? '' : ', both laid out first'}.
          </p>
          <BodyText
            key={`${index} ${isRaw}`}
            label="Difference"
            address={address}
            which="diff"
            isRaw={isRaw}
          />
        </TabPanel>
      ) : null}
    </Tabs>
  )
}

interface BodiesProps {
  of: 'request' | 'answer'
  /** Undefined where nothing was recorded, or nothing was sent. */
  recorded: BodyFacts | undefined
  replayed: BodyFacts | undefined
  address: ExchangeAddress
  isRaw: boolean
}

function Bodies({ of, recorded, replayed, ...shown }: BodiesProps) {
  const which = of === 'request' ? 'request' : 'response'
  return (
    <SideBySide
      recorded={
        recorded === undefined ? null : (
          <BodyView {...shown} label={`Recorded ${of}`} which={`recorded_${which}`} facts={recorded} />
        )
      }
      replayed={
        replayed === undefined ? null : (
          <BodyView {...shown} label={`Replayed ${of}`} which={which} facts={replayed} />
        )
      }
    />
  )
}

interface SidesProps {
  /** Null where there is none. */
  recorded: React.ReactNode
  replayed: React.ReactNode
}

function SideBySide({ recorded, replayed }: SidesProps) {
  return (
    <div className={`grid gap-4 ${recorded === null ? '' : 'xl:grid-cols-2'}`}>
      {recorded === null ? null : <Side title="Recorded">{recorded}</Side>}
      <Side title="Replayed">{replayed ?? <p className="text-muted">Nothing was sent.</p>}</Side>
    </div>
  )
}

function Side({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="text-sm font-medium text-muted">{title}</span>
      {children}
    </div>
  )
}

function RequestLine({ method, url, other }: { method: string; url: string; other: string | undefined }) {
  return (
    <code
      className={`rounded-md px-2 py-1 break-all ${other === undefined || other === url ? 'bg-sunken' : 'bg-caution-soft'}`}
    >
      <strong>{method}</strong> {url}
    </code>
  )
}

function StatusLine({ exchange }: { exchange: Detail['exchanges'][number] }) {
  const { status, error, remote_address: address } = exchange
  return (
    <p className="flex flex-wrap items-center gap-x-3">
      {status === null ? (
        <span className="text-worse">{error ?? 'No answer came.'}</span>
      ) : (
        <span className={`font-mono font-medium ${status >= 400 ? 'text-worse' : ''}`}>{status}</span>
      )}
      {address === null ? null : <span className="text-sm text-muted">from {address}</span>}
    </p>
  )
}
