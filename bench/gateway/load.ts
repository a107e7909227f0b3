import { isRpcResult, mcpRequestText, runClosedLoop } from './closed-loop.ts'

/** One measurement. The process does them as they come, over IPC. */
export interface LoadOrder {
  url: string
  token: string
  call: 'tools/call' | 'tools/list'
  connections: number
  seconds: number
}

const paramsOf = {
  'tools/call': '{"name":"find_tools","arguments":{"query":"flame graph profile","limit":5}}',
  'tools/list': '{}',
}

process.on('message', ({ url, token, call, connections, seconds }: LoadOrder) => {
  const requestText = (id: number) => {
    const body = `{"jsonrpc":"2.0","id":${id},"method":"${call}","params":${paramsOf[call]}}`
    return mcpRequestText(token, 'localhost', body)
  }
  void runClosedLoop({ url, connections, seconds, requestText, isAnswer: isRpcResult }).then((result) =>
    process.send?.(result),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url: '' })
