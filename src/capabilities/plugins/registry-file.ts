import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { makeFolder } from '../../kernel/files/folders.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import type { Decision } from './plugin.ts'
import { unreadableRegistry } from './refusals.ts'

const fileSchema = z.object({
  version: z.literal(1),
  plugins: z.record(
    z.string(),
    z.object({
      enabled: z.boolean(),
      grantedCapabilities: z.array(z.string()),
      installedAt: z.string(),
      updatedAt: z.string(),
    }),
  ),
})

/** Returns the decisions by plugin id; undefined if the file exists and cannot be read. */
async function readDecisions(file: string): Promise<Map<string, Decision> | undefined> {
  try {
    const { data } = fileSchema.safeParse(JSON.parse(await readFile(file, 'utf8')))
    return data && new Map(Object.entries(data.plugins))
  } catch (error) {
    return hasCode(error, 'ENOENT') ? new Map() : undefined
  }
}

/** The folder must exist. */
async function writeDecisions(
  file: string,
  decisions: ReadonlyMap<string, Decision>,
): Promise<void> {
  const plugins = Object.fromEntries([...decisions].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  await replaceFile(file, `${JSON.stringify({ version: 1, plugins }, null, 2)}\n`)
}

/** The decisions in memory; each change is written first. */
export function createDecisionStore(folder: string) {
  const file = join(folder, 'registry.json')
  let decisions: ReadonlyMap<string, Decision> = new Map()
  let isReadable = true
  return {
    get: (id: string) => decisions.get(id),
    has: (id: string) => decisions.has(id),
    /** Whether changes can be stored. */
    isReadable: () => isReadable,
    load: async () => {
      const read = await readDecisions(file)
      isReadable = read !== undefined
      decisions = read ?? new Map()
    },
    save: async (changed: readonly (readonly [id: string, decision: Decision])[]) => {
      if (!isReadable) throw unreadableRegistry()
      const next = new Map([...decisions, ...changed])
      await makeFolder(folder)
      await writeDecisions(file, next)
      decisions = next
    },
  }
}
