import { formatQuantity } from '@flamegate/contract'
import { HeaderTable } from '../validation/header-table.tsx'
import type { Header } from '../validation/pair-headers.ts'
import { isObject, type JsonObject, objectsIn, partOf, textOf } from '../documents/json.ts'

const linesMax = 20

/** A request that failed and what came back, as an agent sent it: nothing in it is taken for granted. */
export function SampleExchange({ exchange }: { exchange: JsonObject }) {
  const request = objectOf(exchange['request'])
  const { response, error } = exchange
  return (
    <div className="grid min-w-0 gap-6 xl:grid-cols-2">
      <Message title="Request" message={request}>
        <code className="rounded-md bg-sunken px-2 py-1 break-all">
          <strong>{textOf(request['method'])}</strong> {textOf(request['url'])}
        </code>
      </Message>
      {isObject(response) ? (
        <Message title="Answer" message={response}>
          <p className="font-mono font-medium">
            {textOf(response['status'])} {textOf(response['statusText'])}
          </p>
        </Message>
      ) : (
        <div>
          <h4 className="text-sm font-medium text-muted">Answer</h4>
          <p className="text-worse">{textOf(error) || 'No answer came.'}</p>
        </div>
      )}
    </div>
  )
}

interface MessageProps {
  title: 'Request' | 'Answer'
  message: JsonObject
  /** Its first line. */
  children: React.ReactNode
}

function Message({ title, message, children }: MessageProps) {
  const headers = objectsIn(message['headers']).map(({ name, value }): Header => ({
    name: textOf(name),
    value: textOf(value),
  }))
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h4 className="text-sm font-medium text-muted">{title}</h4>
      {children}
      <HeaderTable label={`Headers of the ${title.toLowerCase()}`} recorded={null} replayed={headers} />
      <Body label={`Body of the ${title.toLowerCase()}`} body={message['body']} />
    </div>
  )
}

function Body({ label, body }: { label: string; body: unknown }) {
  if (!isObject(body)) return <p className="text-muted">No body.</p>
  const content = textOf(body['content'])
  const words = [
    textOf(body['contentType']) || 'of no type',
    formatQuantity(Number(body['sizeBytes']) || 0, 'bytes'),
    ...(body['encoding'] === 'base64' ? ['shown as base64'] : []),
    ...(body['content'] === null ? ['its content is not kept'] : []),
    ...(body['isCut'] === true ? ['only its beginning is kept'] : []),
  ]
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <p className="text-sm break-words text-muted">{words.join(', ')}</p>
      {content === '' ? null : (
        <textarea
          aria-label={label}
          readOnly
          spellCheck={false}
          rows={Math.min(linesMax, content.split('\n').length + 1)}
          value={content}
          className="w-full resize-y rounded-md border border-line bg-sunken p-3 font-mono text-sm break-all"
        />
      )}
    </div>
  )
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Method and address of a request, to tell samples apart by. */
export function requestWords(exchange: unknown): string {
  const request = partOf(exchange, 'request')
  return [textOf(partOf(request, 'method')), textOf(partOf(request, 'url'))].join(' ').trim()
}
