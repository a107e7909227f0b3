import { operations } from '@flamegate/contract'

/** Answers that are others when a virtual user has another version. */
export const outdatedByCorrelating = [
  operations.getVirtualUser,
  operations.getVirtualUserDocument,
  operations.listVirtualUsers,
  operations.listVirtualUserVersions,
  operations.suggestCorrelations,
  operations.sanityCheckVirtualUser,
]
