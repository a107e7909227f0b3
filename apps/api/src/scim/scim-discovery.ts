import { Messages, Schemas } from 'scimmy'
import { keptAttributes } from './scim-user.ts'

/** The most people in one answer. */
export const mostPeople = 200

const keptParts = new Set(['givenName', 'familyName', 'value', 'type', 'primary'])

/** What a provider can find out about this SCIM (RFC 7644, 4). */
export function discovery(baseUrl: string, docsUrl: string) {
  const { id, name, description, attributes } = Schemas.User.definition.describe(`${baseUrl}/Schemas`)
  const kept: readonly string[] = keptAttributes
  const schema = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description,
    attributes: attributes
      .filter((attribute) => kept.includes(attribute.name))
      .map((attribute) => ({
        ...attribute,
        ...(attribute.subAttributes === undefined
          ? {}
          : { subAttributes: attribute.subAttributes.filter((part) => keptParts.has(part.name)) }),
        // The address of an account is its person's to change.
        ...(attribute.name === 'emails' ? { mutability: 'immutable' } : {}),
      })),
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
  }
  const resourceType = {
    schemas: [Schemas.ResourceType.id],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'Members with an address of a proved domain, and those who were',
    schema: id,
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/User` },
  }
  const serviceProviderConfig = {
    schemas: [Schemas.ServiceProviderConfig.id],
    documentationUri: docsUrl,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: mostPeople },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The SCIM token that an owner of the workspace made.',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  }
  return { schema, resourceType, serviceProviderConfig }
}

/** RFC 7644, 3.4.2. @param startIndex Of the first that is told; from 1. */
export function listResponse<Resource>(
  resources: Resource[],
  totalResults = resources.length,
  startIndex = 1,
) {
  return {
    schemas: [Messages.ListResponse.id],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}
