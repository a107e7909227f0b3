import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProfile as getProfileTarget } from '../targets.ts'
import { profileOnWire } from '../wire.ts'

export const getProfile = implement(operations.getProfile)(async (input, context) => ({
  profile: profileOnWire(await getProfileTarget(context, input.profile_id)),
}))
