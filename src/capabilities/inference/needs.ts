import type { Host } from '../../kernel/host/host.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { CreateTarget } from './targets/target.ts'

export interface InferenceNeeds {
  readonly host: Host
  readonly outbound: Pick<Outbound, 'open' | 'fetch'>
  /** Default: the model libraries, loaded with the first call. */
  readonly createTarget?: CreateTarget
}
