import { type ModelIdentity, toIdentity } from './embedder.ts'
import { readModels } from './models.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import { readVectorHashes, readVectors } from './store/vectors.ts'

/** A text of a model, with the vector that it has made of it. */
export interface Sample {
  readonly text: string
  readonly kind: 'document' | 'query'
  readonly whole: Float32Array
}

/** What is kept of a model, for whoever cannot ask it. */
export interface KeptVectors {
  findIdentity(known: Omit<ModelIdentity, 'dims'>): Promise<ModelIdentity | undefined>
  findSample(identity: ModelIdentity): Promise<Sample | undefined>
}

/** Of what has changed last, a short text will be there. */
const lookedThrough = 200
const longestSample = 2000

export function createKeptVectors(
  needs: Pick<EmbeddingsNeeds, 'background' | 'memories'>,
): KeptVectors {
  const { background } = needs
  return {
    findIdentity: async (known) => {
      const { active, building } = await readModels(background)
      const kept = [active, building].find((row) => row && isOf(row, known))
      return kept && { ...known, dims: kept.dims }
    },
    findSample: async (wanted) => {
      const identity = toIdentity(wanted)
      const ids = await listLive(needs, identity)
      const hashes = await readVectorHashes(background, identity, ids)
      const words = await needs.memories().listWords(background, [...hashes.keys()])
      const one = words.find(
        ({ id, content, contentHash }) =>
          content.length <= longestSample && hashes.get(id) === contentHash,
      )
      const whole = one && (await readVectors(background, identity, [one.id])).get(one.id)
      return whole && { text: one.content, kind: 'document', whole }
    },
  }
}

/** Of those that have been looked at for this identity, the last ones. */
async function listLive(
  { background, memories }: Pick<EmbeddingsNeeds, 'background' | 'memories'>,
  identity: string,
): Promise<string[]> {
  const { active, building } = await readModels(background)
  const model = [active, building].find((row) => row?.identity === identity)
  const after = Math.max(0, (model?.seenRevision ?? 0) - lookedThrough)
  const changed = await memories().listChanged(background, { after, limit: lookedThrough })
  return changed.filter(({ live }) => live).map(({ id }) => id)
}

function isOf(row: ModelIdentity, known: Omit<ModelIdentity, 'dims'>): boolean {
  return toIdentity(row) === toIdentity({ ...known, dims: row.dims })
}
