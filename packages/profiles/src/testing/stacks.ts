import type { Profile } from '../profile.ts'
import { readProfile } from '../read-profile.ts'

/** A profile of folded stacks, `main;parse 2` per line; the indentation of the test does not matter. */
export function profileOf(stacks: string): Profile {
  return readProfile(new TextEncoder().encode(stacks), { format: 'collapsed' })
}
