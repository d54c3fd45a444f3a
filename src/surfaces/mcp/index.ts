export { describeTool } from './describe-tool.ts'
export { createMcp } from './mcp.ts'
export type { OriginNeeds } from './origin.ts'
