import { operations, Problem } from '@flamegate/contract'
import { diffLines, parseDocument, prettyPrint, walkActions, type Exchange } from '@flamegate/loadtest'
import type { InputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { KeptResult, WholeValidation } from '../ports/index.ts'
import { exchangeOnWire, resultOnWire } from './on-wire.ts'
import { findRecording, getValidation } from './reaching.ts'
import { readIndex, readOneExchange } from './recordings.ts'

type Input = InputOf<typeof operations.getValidationFailureDetail>

/** Requests of a page or with many resources: the rest is in the HAR that export_virtual_user gives. */
const shownExchanges = 50

export const getValidationFailureDetail = implement(operations.getValidationFailureDetail)(async (
  input,
  context,
) => {
  const validation = await getValidation(context, input.validation_id)
  const result = findResult(validation, input)
  const exchanges = await replayedExchanges(context, validation, result)
  const replayed = exchanges[input.exchange]?.exchange
  const recorded = await recordedExchange(context, validation, result, replayed)
  const text = bodyText(input, recorded, replayed)
  return {
    action: resultOnWire(result, null),
    virtual_user_id: validation.virtualUserId,
    validation_id: validation.id,
    judgement: result.failure ?? `It ${result.outcome === 'passed' ? 'passed' : 'was skipped'}.`,
    assertions: result.assertions,
    extractors: result.extractors,
    variables: result.variables,
    messages: result.messages,
    recorded: recorded === undefined ? null : exchangeOnWire('main', recorded),
    exchanges: exchanges.map(({ role, exchange }) => exchangeOnWire(role, exchange)),
    omitted_exchanges: Math.max(0, result.exchanges.length - shownExchanges),
    text: text?.slice(input.offset, input.offset + input.max_characters) ?? null,
    text_characters: text?.length ?? 0,
    screenshot_file_id: result.screenshotFileId,
    trace_file_id: result.traceFileId,
  }
})

function findResult(
  { results }: WholeValidation,
  wanted: { action_id: string; iteration?: number; sequence?: number | undefined },
): KeptResult {
  const result = results.find(
    ({ actionId, iteration, sequence }) =>
      actionId === wanted.action_id &&
      (wanted.sequence === undefined
        ? wanted.iteration === undefined || iteration === wanted.iteration - 1
        : sequence === wanted.sequence),
  )
  if (result === undefined) {
    throw new Problem('action_not_found', 'The validation did not come to that action.', {
      hint: [operations.getVirtualUserValidationIndex, 'shows those it came to'],
    })
  }
  return result
}

/** What was recorded where `replayed` was sent: of the same method and path, else what came at the end of the redirects. */
async function recordedExchange(
  context: CallContext,
  validation: WholeValidation,
  { actionId }: KeptResult,
  replayed: Exchange | undefined,
): Promise<Exchange | undefined> {
  const { caller, deps } = context
  const version = await deps.stores.designs.findVersion(caller, validation.virtualUserId, validation.version)
  if (version === undefined) return undefined
  const document = parseDocument('virtual_user', version.document)
  const found = walkActions(document).find(({ action }) => action.id === actionId)?.action
  if (found?.type !== 'http_request') return undefined
  const places = [found.recorded, ...found.redirects.recorded].filter((place) => place !== null)
  const recording = await findRecording(context, document, validation.projectId)
  if (recording === undefined) return undefined
  const index = readIndex(recording.index)
  const place = places.find((each) => isSameCall(index.exchanges[each], replayed?.request)) ?? places.at(-1)
  if (place === undefined) return undefined
  return readOneExchange(deps.storage, { storageKey: recording.storageKey, index }, place)
}

type Call = { method: string; url: string } | undefined

function isSameCall(recorded: Call, sent: Call): boolean {
  if (recorded === undefined || sent === undefined || recorded.method !== sent.method) return false
  return URL.parse(recorded.url)?.pathname === URL.parse(sent.url)?.pathname
}

async function replayedExchanges(
  { caller, deps }: CallContext,
  { fileId, index }: WholeValidation,
  { exchanges }: KeptResult,
): Promise<{ role: KeptResult['exchanges'][number]['role']; exchange: Exchange }[]> {
  const file = fileId === null ? undefined : await deps.stores.files.find(caller, fileId)
  if (file === undefined || index === null) return []
  const read = exchanges.slice(0, shownExchanges).map(async ({ role, place }) => {
    const exchange = await readOneExchange(deps.storage, { storageKey: file.storageKey, index }, place)
    return exchange === undefined ? [] : [{ role, exchange }]
  })
  return (await Promise.all(read)).flat()
}

function bodyText(
  { body, pretty }: Input,
  recorded: Exchange | undefined,
  replayed: Exchange | undefined,
): string | undefined {
  const laidOut = (part: { body: Exchange['request']['body'] } | null | undefined): string | undefined => {
    const content = part?.body?.content
    if (content == null || !pretty || part?.body?.encoding === 'base64') return content ?? undefined
    return prettyPrint(content, part?.body?.contentType ?? null)
  }
  switch (body) {
    case 'none':
      return undefined
    case 'recorded_request':
      return laidOut(recorded?.request)
    case 'recorded_response':
      return laidOut(recorded?.response)
    case 'request':
      return laidOut(replayed?.request)
    case 'response':
      return laidOut(replayed?.response)
    case 'diff':
      return differences(laidOut(recorded?.response) ?? '', laidOut(replayed?.response) ?? '')
    default:
      return body satisfies never
  }
}

/** `-` lines are the recording's, `+` lines the replay's. */
function differences(recorded: string, replayed: string): string {
  const signs = { same: ' ', removed: '-', added: '+' }
  return diffLines(recorded, replayed)
    .map(({ kind, text }) => `${signs[kind]}${text}`)
    .join('\n')
}
