import { operations, Problem } from '@flamegate/contract'
import { parseDocument } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { designOnWire } from './on-wire.ts'
import { getAnyDesign } from './reaching.ts'

export const restoreDesignObject = implement(operations.restoreDesignObject)(async (input, context) => {
  const { id, kind } = await getAnyDesign(context, input.object_id, { evenDeleted: true })
  const object = await context.deps.stores.designs.restore(context.caller, id)
  if (object === undefined) throw new Problem('document_not_found', 'This is gone for good.')
  return { object: designOnWire({ ...object, kind }, parseDocument(kind, object.document)) }
})
