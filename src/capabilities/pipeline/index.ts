import type { PipelineNeeds } from './needs.ts'
import { pipelineRoutes } from './routes.ts'
import { pipelineHealth } from './status.ts'

export const pipelineModule = { name: 'pipeline' } as const

export function createPipeline(needs: PipelineNeeds) {
  return { routes: pipelineRoutes(needs), health: pipelineHealth(needs) }
}
