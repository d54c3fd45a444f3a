import type { InferenceNeeds } from './needs.ts'

export const inferenceModule = { name: 'inference' } as const

export function createInference(_needs: InferenceNeeds) {
  return {}
}
