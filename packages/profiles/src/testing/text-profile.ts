import type { ImportedProfile, ProfileFormat } from '../profile.ts'
import { readProfile } from '../read-profile.ts'

/** A profile of a text, whose format the content must tell. */
export function readText(text: string): ImportedProfile {
  return readProfile(new TextEncoder().encode(text))
}

/** As `readText`, read as that format, whatever the content tells. */
export function readTextAs(format: ProfileFormat, text: string): ImportedProfile {
  return readProfile(new TextEncoder().encode(text), { format })
}
