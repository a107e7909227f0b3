import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { answerLog } from './answer-log.ts'
import { answerSection } from './answer-section.ts'

export const liveResources = implement(operations.liveResources)(async (input, context) => {
  const { section, item_id: itemId } = input
  const answer = await answerSection(context, section, input)
  if (itemId === undefined) return { ...answer, entries: [], lost: 0 }
  const { entries, lost } = await answerLog(context, section, input, { id: itemId })
  return { ...answer, entries, lost }
})
