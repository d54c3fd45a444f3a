import type { Call } from '../support/client.ts'
import type { Piece } from './dataset.ts'

type Sources = Map<string, Piece[]>

/** Extracts what each memory states and applies it. Each claim is added to the sources. */
export async function writeGraph(call: Call, agent: string, sources: Sources): Promise<void> {
  let applied = 0
  let refused = 0
  for (const [id, documents] of [...sources]) {
    const body = { from: `memory:${id}`, write_proposals: true }
    const extracted = await call('POST /api/ontology/extract', body, agent)
    for (const item of extracted.body['items'] as readonly { readonly id: string }[]) {
      const claimId = await apply(call, agent, item.id)
      if (claimId === undefined) refused += 1
      else applied += 1
      if (claimId) sources.set(claimId, documents)
    }
  }
  process.stdout.write(`graph: ${applied} operations applied, ${refused} refused\n`)
}

/** The id of the claim, empty for other operations; undefined if the operation is refused. */
async function apply(call: Call, agent: string, id: string): Promise<string | undefined> {
  try {
    const { body } = await call(`POST /api/ontology/proposals/${id}/apply`, {}, agent)
    const { attributeId = '' } = Object(body['result']) as { readonly attributeId?: string }
    return attributeId
  } catch {
    return undefined
  }
}
