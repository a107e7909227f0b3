import { ProfileBuilder } from '../profile-builder.ts'
import type { Profile } from '../profile.ts'

/** A heap profile, by stacks; frames are `name` or `name@file`. Without `allocated`, it tells only what is in use. */
export function heapProfile(stacks: Record<string, { inUse: number; allocated?: number }>): Profile {
  const tellsAllocated = Object.values(stacks).some(({ allocated }) => allocated !== undefined)
  const builder = new ProfileBuilder({
    format: 'pprof',
    sampleTypes: [
      { type: 'inuse_space', unit: 'bytes' },
      ...(tellsAllocated ? [{ type: 'alloc_space', unit: 'bytes' }] : []),
    ],
  })
  for (const [stack, { inUse, allocated = 0 }] of Object.entries(stacks)) {
    let node = 0
    for (const frame of stack.split(';')) {
      const [name = '', file = ''] = frame.split('@')
      node = builder.child(node, builder.functions.intern(name, file))
    }
    builder.add(node, [inUse, allocated])
  }
  return builder.finish({ warnings: [] })
}
