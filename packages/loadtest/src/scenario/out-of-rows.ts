import type { Variable } from '../model/variable.ts'
import type { Scenario, UserProfile } from './scenario.ts'

/** What an agent says at its end of a profile of which all users ran out of the rows of a file. */
export function outOfRowsWords(profile: string, variable: string): string {
  return `All users of ${profile} ran out of rows of ${variable}.`
}

/** A part of a run that an agent made to its end. */
interface EndedPart {
  agentGroup: string
  /** What the agent said. */
  message: string
}

/**
 * What is to be known of a run of which users ran out of rows, by what all agents of their group say.
 * @returns one sentence where these were all users, or else one for each profile
 */
export function outOfRowsOfRun(
  { profiles }: Pick<Scenario, 'profiles'>,
  variables: readonly Variable[],
  parts: readonly EndedPart[],
): string[] {
  const enabled = profiles.filter((profile) => profile.enabled)
  const found = enabled.flatMap((profile) => {
    const variable = variables.find(({ name }) => hasRunOut(profile, name, parts))
    return variable === undefined ? [] : [{ profile: profile.name, variable: variable.name }]
  })
  if (found.length === 0 || found.length < enabled.length)
    return found.map(({ profile, variable }) => outOfRowsWords(profile, variable))
  const names = [...new Set(found.map(({ variable }) => variable))]
  return [`All users ran out of rows of ${names.join(' and ')}.`]
}

function hasRunOut(
  { name, agent_group: group }: UserProfile,
  variable: string,
  parts: readonly EndedPart[],
): boolean {
  const ofGroup = parts.filter(({ agentGroup }) => agentGroup === group)
  const words = outOfRowsWords(name, variable)
  return ofGroup.length > 0 && ofGroup.every(({ message }) => message.includes(words))
}
