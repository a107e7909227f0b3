import type { ToolPack } from '../../mcp/tool-handlers.ts'

export type CallContext = Parameters<ToolPack['call']>[2]
export type Answer = Record<string, unknown>

/** A tool that the conformance suite calls, as its scenario describes it. */
export interface FixtureTool {
  name: string
  description: string
  /** Without arguments when left out. */
  inputSchema?: { type: 'object'; [keyword: string]: unknown }
  call(input: Record<string, unknown>, context: CallContext): Answer | Promise<Answer>
}

/** An error of the protocol: the SDK sends `code`, `message` and `data` of what is thrown. */
export class ProtocolRefusal extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export function missingCapability(requiredCapabilities: Answer): ProtocolRefusal {
  return new ProtocolRefusal(-32_021, 'The client did not declare a capability that this needs.', {
    requiredCapabilities,
  })
}

/** What the client declared with its request. */
export function capabilitiesOf({ mcpReq }: CallContext): Record<string, unknown> {
  const meta: Record<string, unknown> = mcpReq.envelope ?? {}
  const declared = meta['io.modelcontextprotocol/clientCapabilities']
  return typeof declared === 'object' && declared !== null ? { ...declared } : {}
}

export const textContent = (text: string) => ({ type: 'text', text })
export const textAnswer = (text: string): Answer => ({ content: [textContent(text)] })

/** Nothing waits for it to end the process: a task may be told to take a minute. */
export const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms).unref())

/** One red pixel. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** No samples at all. */
export const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
