import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { designOnWire } from './on-wire.ts'
import { getAnyDesign } from './reaching.ts'
import { documentAt } from './versions.ts'

export const getDesignObject = implement(operations.getDesignObject)(async (input, context) => {
  const object = await getAnyDesign(context, input.object_id, { evenDeleted: true })
  const version = input.version ?? object.version
  return {
    object: designOnWire({ ...object, version }, await documentAt(context, object.kind, object, version)),
  }
})
