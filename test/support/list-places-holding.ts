import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Client } from 'pg'
import { parse } from 'yaml'
import { readTree, readUnlessGone } from './list-files-holding.ts'
import type { Service } from './start-service.ts'

/**
 * Lists the files of a workspace, and the tables of its server, that contain one of the marks in
 * any case.
 */
export async function listPlacesHolding(
  { workspace }: Pick<Service, 'workspace'>,
  marks: readonly string[],
): Promise<string[]> {
  const entries = await readTree(workspace)
  const files = entries.filter((entry) => entry.isFile())
  const places: string[] = []
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name)
    const text = (await readUnlessGone(file)).toString('latin1')
    places.push(...listMarks(text, marks).map((mark) => `${relative(workspace, file)}: ${mark}`))
  }
  return [...places, ...(await listTablesHolding(workspace, marks))].toSorted()
}

/** The marks that occur in the text, in any case. */
export function listMarks(text: string, marks: readonly string[]): string[] {
  const low = text.toLowerCase()
  return marks.filter((mark) => low.includes(mark))
}

/** Empty for a workspace whose database is a file. */
async function listTablesHolding(workspace: string, marks: readonly string[]): Promise<string[]> {
  const settings = parse(await readFile(join(workspace, 'agent.yaml'), 'utf8'))
  const { url: connectionString } = settings.database ?? {}
  if (connectionString === undefined) return []
  const client = new Client({ connectionString })
  await client.connect()
  const named = `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`
  const tables = (await client.query<{ name: string }>(named)).rows
  const places: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
    const text = rows.map(({ row }) => row).join('\n')
    places.push(...listMarks(text, marks).map((mark) => `table ${name}: ${mark}`))
  }
  await client.end()
  return places
}
