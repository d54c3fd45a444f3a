import type { Db } from '../../../../kernel/db/database.ts'
import { deleteFile, listFiles, saveFiles } from '../../store/checkpoints.ts'
import type { FileRow } from '../../store/rows.ts'
import type { Manifest, StoredFile } from './sync.ts'

const pageSize = 1_000

/** The manifest of vaults in the database. */
export function createManifest(db: Db): Manifest {
  return {
    list: async ({ id, generation }) => {
      const rows = (await listAll(db, id)).filter((row) => row.generation === generation)
      return new Map(rows.map((row) => [row.path, toStored(row)]))
    },
    save: ({ id, generation }, files) =>
      saveFiles(
        db,
        files.map((file) => ({ sourceId: id, generation, ...file })),
      ),
    remove: ({ id }, path) => deleteFile(db, id, path),
  }
}

async function listAll(db: Db, sourceId: string): Promise<FileRow[]> {
  const files: FileRow[] = []
  for (;;) {
    const after = files.at(-1)?.path ?? ''
    const page = await listFiles(db, sourceId, { after, limit: pageSize })
    files.push(...page)
    if (page.length < pageSize) return files
  }
}

function toStored({ path, size, mtimeMs, inode, sha256 }: FileRow): StoredFile {
  return { path, size, mtimeMs, inode, sha256 }
}
