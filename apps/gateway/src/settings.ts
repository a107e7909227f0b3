// What an installation can tell the gateway, for programs that run none: without all that the gateway is made of.
export { accountSettings } from './accounts/account-settings.ts'
export { keylessSettings } from './keyless/keyless-settings.ts'
export { oauthSettings } from './oauth/oauth-settings.ts'
