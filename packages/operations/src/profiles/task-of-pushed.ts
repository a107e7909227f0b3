import { idPrefixes } from '@flamegate/contract'

/** The task that reads a pushed profile, which is removed with it. */
export function taskOfPushed(profileId: string): string {
  return `${idPrefixes.task}${profileId.slice(idPrefixes.profile.length)}`
}
