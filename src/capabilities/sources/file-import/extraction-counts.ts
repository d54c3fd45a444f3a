import type { Db } from '../../../kernel/db/database.ts'
import type { SavedRows } from '../runs/index-item.ts'
import { ownerOf, type SourceEntry } from '../source.ts'
import { findArtifactState, updateMeta } from '../store/artifacts.ts'

/** What the graph holds of an imported file. */
export interface ExtractionCounts {
  readonly documentEntityId: string | null
  readonly aspectsCreated: number
  readonly attributesCreated: number
}

export const noExtraction: ExtractionCounts = {
  documentEntityId: null,
  aspectsCreated: 0,
  attributesCreated: 0,
}

export function toExtraction({ documentEntityId, counts }: SavedRows): ExtractionCounts {
  const { aspects: aspectsCreated, attributes: attributesCreated } = counts
  return { documentEntityId, aspectsCreated, attributesCreated }
}

/** The path of the artifact that stands for the file. */
export const toImportPath = ({ id, name }: Pick<SourceEntry, 'id' | 'name'>) =>
  `imports/${id}/${name}`

const keyOf = (source: SourceEntry) => ({
  agentId: ownerOf(source),
  sourceId: source.id,
  sourcePath: toImportPath(source),
})

export async function saveExtraction(
  db: Db,
  source: SourceEntry,
  {
    meta,
    importExtraction,
  }: { readonly meta: object; readonly importExtraction: ExtractionCounts },
): Promise<void> {
  await updateMeta(db, keyOf(source), JSON.stringify({ ...meta, importExtraction }))
}

/** The counts that the import of the file has saved. */
export async function readExtraction(
  db: Db,
  source: SourceEntry,
): Promise<ExtractionCounts | undefined> {
  const state = await findArtifactState(db, keyOf(source))
  return Object(JSON.parse(state?.sourceMetaJson ?? '{}')).importExtraction
}
