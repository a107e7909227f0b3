/**
 * How many of a number of users an agent has: every n-th one from its own place on. The sum over all agents is always the
 * whole, and no agent's number falls while the whole rises.
 * @param offset Place at which the first user goes, so that profiles of one user do not all go to the first agent
 */
export function shareOfUsers(
  users: number,
  { agents, index }: { agents: number; index: number },
  offset = 0,
): number {
  const place = (((index - offset) % agents) + agents) % agents
  return Math.max(0, Math.ceil((users - place) / agents))
}
