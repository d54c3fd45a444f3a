import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { readText } from '../../kernel/files/read-text.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import { createFilesTask, type UpgradeTask } from '../../kernel/jobs/upgrade-tasks.ts'
import { cleanRender, renderHashOf, replaceLastHash } from './memory-file.ts'

import type { SynthesisOptions } from './needs.ts'
import { replaceHash } from './store.ts'

const pattern = '{,agents/*/}{MEMORY.md,memory/MEMORY.backup-*.md}'

/** `MEMORY.md` of each agent and its backups, as an earlier version rendered them. */
export function cleanMemoryFiles(
  needs: Pick<SynthesisOptions, 'background' | 'folder'>,
): UpgradeTask {
  const { background: db, folder } = needs
  return createFilesTask({
    id: 'clean-memory-files',
    list: async () => {
      const paths: string[] = []
      for await (const path of glob(pattern, { cwd: folder })) paths.push(path)
      return paths
    },
    rewrite: async (path) => {
      const file = join(folder, path)
      const text = await readText(file)
      const clean = cleanRender(text)
      if (clean === text) return
      await replaceFile(file, clean)
      const [before, after] = [renderHashOf(text), renderHashOf(clean)]
      if (before === undefined || after === undefined || !path.endsWith('MEMORY.md')) return
      await replaceHash(db, { before, after })
      const agentId = /^agents\/(.+)\/MEMORY\.md$/.exec(path)?.[1] ?? 'default'
      await replaceLastHash(folder, { agentId, before, after })
    },
  })
}
