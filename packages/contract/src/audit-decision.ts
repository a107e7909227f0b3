/** Whether a call was let through. What wants to be confirmed is asked for first, and `confirmed` when it comes again. */
export const auditDecisions = ['allowed', 'refused', 'confirmation_required', 'confirmed'] as const
