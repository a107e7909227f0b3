import { Agent, request as open } from 'node:http'
import type { FuzzRequest } from './make-request.ts'

/** What came of a request. */
export interface Answer {
  /** 0 when there was none. */
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
  durationMs: number
  /** Why there was none: `hang`, or the error's code. */
  failure: string | undefined
}

/** Of an answer no more is read. */
const textBytesMax = 20_000_000
/** Streams of events have no end of their own. */
const streamMs = 300

export class Sender {
  private readonly agent: Agent
  private readonly origin: URL
  private readonly answerMsMax: number

  constructor(origin: string, concurrent: number, answerMsMax: number) {
    this.origin = new URL(origin)
    this.agent = new Agent({ keepAlive: true, maxSockets: concurrent * 2 })
    this.answerMsMax = answerMsMax
  }

  /** Never throws: what nobody answered is an answer, too. */
  async send(request: FuzzRequest): Promise<Answer> {
    const answer = await this.sendOnce(request, this.agent)
    // The server may have closed a connection just when it was to be used again. What then gets no answer twice hangs.
    return answer.failure === 'reused' || answer.failure === 'hang' ? this.sendOnce(request, false) : answer
  }

  private sendOnce(
    { method, target, headers, body, operation }: FuzzRequest,
    agent: Agent | false,
  ): Promise<Answer> {
    const startedAt = performance.now()
    return new Promise((resolve) => {
      const answer: Answer = { status: 0, headers: {}, text: '', durationMs: 0, failure: undefined }
      const chunks: Buffer[] = []
      const end = (failure?: string) => {
        clearTimeout(timer)
        resolve({
          ...answer,
          text: Buffer.concat(chunks).toString(),
          durationMs: performance.now() - startedAt,
          failure,
        })
      }
      const sent = () =>
        open(
          {
            agent,
            hostname: this.origin.hostname,
            port: this.origin.port,
            method,
            path: target,
            headers: withLength(headers, body),
          },
          (response) => {
            answer.status = response.statusCode ?? 0
            answer.headers = response.headers
            const isStream =
              operation === undefined && response.headers['content-type']?.startsWith('text/event-stream')
            if (isStream === true) setTimeout(() => response.destroy(), streamMs)
            let bytes = 0
            response.on('data', (chunk: Buffer) => {
              bytes += chunk.length
              if (bytes < textBytesMax) chunks.push(chunk)
            })
            response.on('close', () => end(response.complete || isStream === true ? undefined : 'cut off'))
            response.on('error', () => {})
          },
        )
      const timer = setTimeout(() => {
        end('hang')
        outgoing?.destroy()
      }, this.answerMsMax)
      let outgoing: ReturnType<typeof open> | undefined
      try {
        outgoing = sent()
      } catch (error) {
        // Node's client does not write everything.
        return end(`unsendable ${codeOf(error)}`)
      }
      outgoing.on('error', (error) => end(outgoing?.reusedSocket ? 'reused' : codeOf(error)))
      outgoing.end(body)
    })
  }

  close(): void {
    this.agent.destroy()
  }
}

function withLength(headers: FuzzRequest['headers'], body: Buffer | undefined): FuzzRequest['headers'] {
  return body === undefined || headers['transfer-encoding'] !== undefined
    ? headers
    : { ...headers, 'content-length': String(body.length) }
}

function codeOf(error: unknown): string {
  return String(Reflect.get(Object(error), 'code') ?? error)
}
