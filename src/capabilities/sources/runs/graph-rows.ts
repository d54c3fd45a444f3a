import { basename, dirname, extname, join, normalize, relative } from 'node:path'
import type { Extractor } from '../../extraction/index.ts'
import type { SourceRows } from '../../knowledge/index.ts'
import { type SourceEntry, toKindToken } from '../source.ts'
import type { ArtifactRow } from '../store/rows.ts'

/** Descriptions of others, and views of a file or a day whose main artifact is in the graph. */
const withoutRows =
  /_(?:failure|checkpoint|json_canonical|csv_chunk|(?:chat_(?:message|message_tombstone|message_event|mention|attachment|embed|poll)))$/

/** The rows of an artifact in the graph, if it has any. */
export async function toGraphRows(
  { extractor }: { readonly extractor: Pick<Extractor, 'outline'> },
  source: SourceEntry,
  artifact: ArtifactRow,
): Promise<SourceRows | undefined> {
  const { sourcePath, sourceKind, memorySentence, content, updatedAt: at } = artifact
  if (withoutRows.test(sourceKind)) return undefined
  const sections = await extractor.outline(content)
  const names = [memorySentence?.trim(), sections.find(({ level }) => level > 0)?.heading]
  return {
    name: names.find((name) => name) ?? basename(sourcePath),
    sourceKind,
    sourceRoot: source.root,
    group: toKindToken(source.kind),
    parentPaths: listParents(source, artifact),
    sections,
    ...(source.kind === 'notes-vault' ? readVaultLinks(source, artifact) : noLinks),
    at,
  }
}

const noLinks = { names: [], links: [] }

function listParents({ kind, root }: SourceEntry, { sourceParentPath }: ArtifactRow): string[] {
  if (sourceParentPath === null || sourceParentPath === root) return []
  if (kind !== 'notes-vault') return [sourceParentPath]
  const parents: string[] = []
  for (let path = sourceParentPath; path.startsWith(`${root}/`); path = dirname(path))
    parents.unshift(path)
  return parents
}

/** Names are relative to the vault, in lower case and without an extension. */
function readVaultLinks(
  { root }: SourceEntry,
  { sourcePath, sourceMetaJson }: ArtifactRow,
): Pick<SourceRows, 'names' | 'links'> {
  const meta = Object(JSON.parse(sourceMetaJson ?? '{}'))
  const path = toName(relative(root, sourcePath))
  const folder = dirname(relative(root, sourcePath))
  const aliases = toTexts(meta.aliases).map((name) => ({
    name: name.toLowerCase(),
    rank: 2 as const,
  }))
  return {
    names: [{ name: path, rank: 0 }, { name: basename(path), rank: 1 }, ...aliases],
    links: toTexts(meta.links).map((target) => {
      const isRelative = /\.(?:md|markdown)$/i.test(target)
      return toName(isRelative ? normalize(join(folder, target)) : target)
    }),
  }
}

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function toName(path: string): string {
  const extension = extname(path)
  const isNote = /^\.(?:md|markdown)$/i.test(extension)
  return (isNote ? path.slice(0, -extension.length) : path).toLowerCase()
}
