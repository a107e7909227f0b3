import type { Client } from '@modelcontextprotocol/client'
import type { FrameLocator, Page } from 'playwright'
import { z } from 'zod'
import { AppBridge, getToolUiResourceUri } from '../../apps/web/src/mcp-app/testing/app-bridge.ts'

type Transport = Parameters<AppBridge['connect']>[0]
type Message = Parameters<NonNullable<Transport['onmessage']>>[0]

const iframe = "document.querySelector('iframe')"

const toolCall = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() })

/** A view as a host shows it: in a sandbox, with the result of a tool, and with the bridge that hosts use. */
export interface ShownView {
  frame: FrameLocator
  bridge: AppBridge
  /** What the view asked of the server, by the tool's name and its arguments. */
  asked: z.output<typeof toolCall>[]
  /** What it told the model last. */
  told: () => string | undefined
  /** Where it wanted to send the person. */
  links: string[]
  /** What it loaded, and what it complained of: both should stay empty. */
  faults: string[]
}

/** Calls a tool as a host does, and shows its view in a page. */
export async function showView(
  page: Page,
  client: Client,
  name: string,
  input: Record<string, unknown>,
): Promise<ShownView> {
  const { tools } = await client.listTools()
  const tool = tools.find((each) => each.name === name)
  const uri = tool && getToolUiResourceUri(tool)
  if (tool === undefined || uri === undefined) throw new TypeError(`${name} has no view`)
  const { contents } = await client.readResource({ uri })
  const [content] = contents
  if (content === undefined || !('text' in content)) throw new TypeError(`${uri} is no text`)
  const result = await client.callTool({ name, arguments: input })

  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('request', (request) => faults.push(request.url()))
  const asked: ShownView['asked'] = []
  const bridge = new AppBridge(
    client,
    { name: 'a-host', version: '1.0.0' },
    { serverTools: {}, openLinks: {}, updateModelContext: { text: {} } },
    {
      hostContext: {
        theme: 'light',
        displayMode: 'inline',
        availableDisplayModes: ['inline', 'fullscreen'],
        toolInfo: { tool },
      },
    },
  )
  const links: string[] = []
  let told: string | undefined
  bridge.onopenlink = async ({ url }) => {
    links.push(url)
    return {}
  }
  bridge.onupdatemodelcontext = async ({ content: parts = [] }) => {
    told = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return {}
  }
  bridge.onrequestdisplaymode = async ({ mode }) => {
    await bridge.sendHostContextChange({ displayMode: mode })
    return { mode }
  }
  const ready = new Promise<void>((resolve) => bridge.addEventListener('initialized', () => resolve()))
  bridge.addEventListener('sizechange', ({ height }) => {
    if (height === undefined) return
    // The page may have been closed in between.
    page.evaluate(`${iframe}.style.height = '${height}px'`).catch(() => undefined)
  })
  await page.setContent('<body style="margin:0"><iframe style="width:100%;border:0" sandbox="allow-scripts">')
  const transport = await framed(page, (call) => asked.push(call))
  await bridge.connect(transport)
  await page.evaluate(`${iframe}.srcdoc = ${JSON.stringify(withPolicy(content.text))}`)
  await ready
  await bridge.sendToolInput({ arguments: input })
  await bridge.sendToolResult(result)
  return { frame: page.frameLocator('iframe'), bridge, asked, told: () => told, links, faults }
}

/** What a host allows a view that asks for no origin, by the specification. */
function withPolicy(html: string): string {
  const policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'none'"
  return html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`)
}

/** Messages to and from what is in the page's frame. */
async function framed(page: Page, see: (call: z.output<typeof toolCall>) => void): Promise<Transport> {
  const transport: Transport = {
    start: async () => undefined,
    async send(message) {
      await page.evaluate(`${iframe}.contentWindow.postMessage(${JSON.stringify(message)}, '*')`)
    },
    async close() {
      transport.onclose?.()
    },
  }
  await page.exposeFunction('toHost', (message: Message) => {
    if ('method' in message && message.method === 'tools/call') see(toolCall.parse(message.params))
    transport.onmessage?.(message)
  })
  await page.evaluate(
    `addEventListener('message', ({ source, data }) => { if (source === ${iframe}.contentWindow) toHost(data) })`,
  )
  return transport
}
