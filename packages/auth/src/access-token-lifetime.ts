/** No access token may live longer: revoked grants are remembered for this long. */
export const maxAccessTokenLifetimeSeconds = 3_600
