import { livePush } from '@flamegate/live'
import type { LiveItem, LiveLog, LiveSection, ReceivedLivePush } from '@flamegate/live'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

export interface FakePlatform {
  url: string
  /** What was stored, each push once. */
  pushes: ReceivedLivePush[]
  requests: { path: string; authorization: string | undefined }[]
  /** What is answered to each next request, before pushes are stored again; `nothing` leaves it unanswered. */
  answers: ({ status: number; headers?: Record<string, string>; body?: string } | 'nothing')[]
  newest: (section: LiveSection, name: string) => LiveItem | undefined
  logs: (section: LiveSection) => LiveLog[]
  close: () => Promise<void>
}

/** Takes pushes as the platform does, and reads each as the platform would. */
export async function startFakePlatform(): Promise<FakePlatform> {
  const pushes: ReceivedLivePush[] = []
  const requests: FakePlatform['requests'] = []
  const answers: FakePlatform['answers'] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization })
    const body = await buffer(request)
    const next = answers.shift()
    if (next === 'nothing') return
    if (next !== undefined) {
      response.writeHead(next.status, next.headers).end(next.body)
      return
    }
    const read = livePush.safeParse(JSON.parse(gunzipSync(body).toString()))
    if (!read.success) {
      response.writeHead(400).end(JSON.stringify({ detail: read.error.message }))
      return
    }
    const isNew = pushes.every(
      ({ session, sequence }) => session !== read.data.session || sequence < read.data.sequence,
    )
    if (isNew) pushes.push(read.data)
    response.writeHead(200).end(JSON.stringify({ status: isNew ? 'stored' : 'duplicate' }))
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('It does not listen.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    pushes,
    requests,
    answers,
    newest: (section, name) =>
      pushes
        .toReversed()
        .map(({ sections }) => sections[section]?.items.find((item) => item.name === name))
        .find((item) => item !== undefined),
    logs: (section) => pushes.flatMap(({ logs }) => logs.filter((log) => log.section === section)),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
