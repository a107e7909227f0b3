export { openApi } from './docs/open-api.ts'
export { referencePage } from './docs/reference-page.ts'
export { prompts, type PromptArgument, type PromptText } from './library/prompts.ts'
export { publicPath, publicTexts, type PublicText } from './library/public-texts.ts'
export { skillsOf, type Skill } from './library/skills.ts'
export { joinLibraries } from './mcp/library.ts'
export type {
  CompletionPlace,
  Library,
  ListedPrompt,
  ListedResource,
  ListedSkill,
  ListedTemplate,
  PromptAnswer,
  Reader,
  ResourceContents,
} from './mcp/library.ts'
export { recordLibrary } from './mcp/record-library.ts'
export { skillLibrary } from './mcp/skill-library.ts'
export { textLibrary } from './mcp/text-library.ts'
export { inputAt, type Place } from './mcp/fixed-place.ts'
export {
  policyKey,
  selectableToolsets,
  selectableToolsetWords,
  whyForbidden,
  whyHidden,
  type FixedPlace,
  type SelectableToolset,
  type ToolPolicy,
  type ToolSelection,
} from './mcp/tool-policy.ts'
export { buildToolRegistry, confirmField, type ListedTool, type ToolRegistry } from './mcp/tool-registry.ts'
export { findTool, handsOn, needsConfirmation, tools, type Tool } from './mcp/tools.ts'
export { showsViews, viewLibrary, viewsExtension } from './mcp/views.ts'
export type { AgentFile } from './plugins/agent-file.ts'
export { agentFiles } from './plugins/agent-files.ts'
export { claudeCodeMarketplace } from './plugins/claude-code.ts'
export { agentDownloads } from './plugins/downloads.ts'
export { pluginFolder } from './plugins/shared-plugin.ts'
export {
  mediaTypes,
  problemResultJson,
  representationFor,
  resultTokensMax,
  toolResultJson,
  wholeResultJson,
} from './representation.ts'
export {
  callMarksHeader,
  callPath,
  readCallMarks,
  writeCallMarks,
  type CallMarks,
} from './rest/call-marks.ts'
export { hangUpSignal } from './rest/hang-up.ts'
export { refusalMarkHeader } from './rest/refusal-mark.ts'
export { problemHandler, problemOf, sendProblem } from './rest/problem-reply.ts'
export { runnerErrorHandler } from './rest/runner-error.ts'
export { callBytesMax, restRoutes, type RestOptions } from './rest/routes.ts'
export { estimateTokens } from './token-estimate.ts'
export { firstOf } from './whole-characters.ts'
