import {
  featureNames,
  operations,
  Problem,
  toolsets,
  type Feature,
  type Operation,
} from '@flamegate/contract'
import type { Stores } from '../ports/index.ts'

/** What collectors tell of what they were asked to measure, by the scope of a person. */
const toldOfOrders: ReadonlySet<string> = new Set([operations.reportMcpSession.id])

/**
 * Whether the plan of the workspace has what the operation belongs to. What is read, stopped or deleted is not asked about, and neither is
 * what agents and collectors tell: a run or a session that is under way comes to its end.
 * @throws Problem `feature_off`
 */
export async function requireFeatureOf(
  stores: Pick<Stores, 'plans'>,
  workspaceId: string,
  { id, toolset, effect, scopes }: Pick<Operation, 'id' | 'toolset' | 'effect' | 'scopes'>,
): Promise<void> {
  if (effect === 'read' || effect === 'destroy' || scopes[0] === 'agent' || toldOfOrders.has(id)) return
  const feature = featureNames.find((name) => name === toolset)
  if (feature !== undefined) await requireFeature(stores, workspaceId, feature)
}

/** @throws Problem `feature_off` */
export async function requireFeature(
  { plans }: Pick<Stores, 'plans'>,
  workspaceId: string,
  feature: Feature,
): Promise<void> {
  const { title, limits } = await plans.ofWorkspace(workspaceId)
  if (!limits.features_off.includes(feature)) return
  throw new Problem(
    'feature_off',
    `The plan ${title} of this workspace does not have ${feature} (${toolsets[feature]}). Nothing was done. ` +
      'What there is can be read, stopped and deleted. Ask whoever runs this installation for a plan that has it.',
    { hint: [operations.getUsage, 'shows what the plan has'] },
  )
}
