import { type ModelIdentity, toIdentity } from './embedder.ts'
import { readModels } from './models.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import { readVectorHashes, readVectors } from './store/vectors.ts'

/** A text with its vector by one model. */
export interface Sample {
  readonly text: string
  readonly kind: 'document' | 'query'
  readonly whole: Float32Array
}

/** Reads identity and sample of a model from the database while the provider does not answer. */
export interface StoredVectors {
  findIdentity(known: Omit<ModelIdentity, 'dims'>): Promise<ModelIdentity | undefined>
  findSample(identity: ModelIdentity): Promise<Sample | undefined>
}

/** The sample is a short text among the last changed memories. */
const scannedRevisions = 200
const maxSampleLength = 2000

export function createStoredVectors(
  needs: Pick<EmbeddingsNeeds, 'background' | 'memories'>,
): StoredVectors {
  const { background } = needs
  return {
    findIdentity: async (known) => {
      const { active, building } = await readModels(background)
      const stored = [active, building].find((row) => row && hasIdentity(row, known))
      return stored && { ...known, dims: stored.dims }
    },
    findSample: async (model) => {
      const identity = toIdentity(model)
      const ids = await listLive(needs, identity)
      const hashes = await readVectorHashes(background, identity, ids)
      const texts = await needs.memories().listTexts(background, [...hashes.keys()])
      const sample = texts.find(
        ({ id, content, contentHash }) =>
          content.length <= maxSampleLength && hashes.get(id) === contentHash,
      )
      const whole = sample && (await readVectors(background, identity, [sample.id])).get(sample.id)
      return whole && { text: sample.content, kind: 'document', whole }
    },
  }
}

/** The live memories among the last ones that this model has seen. */
async function listLive(
  { background, memories }: Pick<EmbeddingsNeeds, 'background' | 'memories'>,
  identity: string,
): Promise<string[]> {
  const { active, building } = await readModels(background)
  const model = [active, building].find((row) => row?.identity === identity)
  const after = Math.max(0, (model?.seenRevision ?? 0) - scannedRevisions)
  const changed = await memories().listChanged(background, { after, limit: scannedRevisions })
  return changed.filter(({ live }) => live).map(({ id }) => id)
}

function hasIdentity(row: ModelIdentity, knownModel: Omit<ModelIdentity, 'dims'>): boolean {
  return toIdentity(row) === toIdentity({ ...knownModel, dims: row.dims })
}
