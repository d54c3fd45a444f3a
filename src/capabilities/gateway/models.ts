import { Refusal } from '../../kernel/errors/refusal.ts'
import type { GatewayNeeds } from './needs.ts'
import { autoModel } from './routing.ts'

/** Empty without models. */
export function listModels({ inference }: Pick<GatewayNeeds, 'inference'>) {
  const { enabled, policies, models } = inference.config()
  if (!enabled || models.size === 0) return []
  const policyModels = [...policies.keys()].map((id) => `policy:${id}`)
  return [autoModel, ...policyModels, ...models.keys()].map((id) => ({
    id,
    object: 'model' as const,
    owned_by: 'svc' as const,
  }))
}

export function readModel(needs: Pick<GatewayNeeds, 'inference'>, id: string) {
  const model = listModels(needs).find((one) => one.id === id)
  if (!model)
    throw new Refusal(
      'not_found',
      'model_not_found',
      'The model is unknown. GET /v1/models lists the names.',
    )
  return model
}
