import { operations } from '@flamegate/contract'
import { diagnose } from '@flamegate/doctor'
import { implement } from '../implement.ts'

export const diagnoseMcpConnection = implement(operations.diagnoseMcpConnection)(async (input, { deps }) => {
  const { url, verdict, findings } = await diagnose({
    url: input.mcp_url,
    send: deps.send,
    token: input.token,
  })
  return { mcp_url: url, verdict, findings }
})
