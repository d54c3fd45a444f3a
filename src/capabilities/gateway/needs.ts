import type { Host } from '../../kernel/host/host.ts'
import type { EmbeddingsCapability } from '../embeddings/index.ts'
import type { Inference } from '../inference/index.ts'

export interface GatewayNeeds {
  readonly host: Host
  readonly inference: Pick<Inference, 'execute' | 'openStream' | 'config'>
  readonly embeddings: Pick<EmbeddingsCapability, 'embedTexts'>
}
