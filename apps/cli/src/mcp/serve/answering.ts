import type { CallToolResult } from '@modelcontextprotocol/server'
import { CouldNotMeasure } from '../could-not-measure.ts'
import { UsageError } from '../../usage-error.ts'

/** What `work` answers; what its caller did wrong is an answer too, which says what to do. */
export async function answering(
  work: () => CallToolResult | Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof CouldNotMeasure)) throw error
    return { isError: true, content: [{ type: 'text', text: error.message }] }
  }
}
