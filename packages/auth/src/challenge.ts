/** What a `WWW-Authenticate` header says beyond "Bearer". Values are ours: none holds a quote or a backslash. */
export interface BearerChallenge {
  /** Where the protected-resource metadata of this very URL is (RFC 9728, 5.1). */
  resourceMetadataUrl: string
  /** Scopes that would do. */
  scope?: readonly string[]
  /** Left out when no credential came (RFC 6750, 3.1). */
  error?: string | undefined
  description?: string
}

/** The value of `WWW-Authenticate` for a 401 or a 403. */
export function bearerChallenge({ error, description, scope, resourceMetadataUrl }: BearerChallenge): string {
  const parameters = [
    ...(error ? [`error="${error}"`] : []),
    ...(error && description ? [`error_description="${description}"`] : []),
    ...(scope?.length ? [`scope="${scope.join(' ')}"`] : []),
    `resource_metadata="${resourceMetadataUrl}"`,
  ]
  return `Bearer ${parameters.join(', ')}`
}
