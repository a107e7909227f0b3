// The host's side of views, as hosts have it, for tests that show ours.
export { AppBridge, getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge'
