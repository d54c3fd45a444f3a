import type { Db } from '../../../kernel/db/database.ts'
import { toRef } from '../evidence/evidence.ts'
import { type RenderedSource, readSource } from '../evidence/source.ts'
import type { DreamingNeeds } from '../needs.ts'
import { deletePages, listPages, listSourcesOf, listTopics, savePage } from '../store/pages.ts'
import { digestOf, listPageClaims } from './page.ts'

interface Building {
  readonly agentId: string
  /** Canonical names of the subjects that the pass has changed. */
  readonly touched: ReadonlySet<string>
  /** What the pass has read. */
  readonly sources: readonly RenderedSource[]
}

/** Sources of one page that are searched for sentences. */
const maxPageSources = 60
const maxNames = 20_000

/** Builds the pages of entities that have become topics or have changed. Returns their number. */
export async function buildPages(
  needs: DreamingNeeds,
  { agentId, touched, sources }: Building,
): Promise<number> {
  const db = needs.background
  const topics = new Set(await listTopics(db, agentId))
  const pages = await listPages(db, agentId)
  const names = await needs.knowledge.ledger.listNames(db, agentId, maxNames)
  const entities = new Map(names.map((entity) => [entity.canonicalName, entity]))
  const byEntity = new Map(pages.map((page) => [page.entityId, page]))
  const ended = pages.filter(({ entityId, name }) => {
    const entity = names.find(({ id }) => id === entityId)
    return !entity || entity.name !== name || !topics.has(entity.canonicalName)
  })
  await deletePages(
    needs.db,
    agentId,
    ended.map(({ name }) => name),
  )
  let built = 0
  for (const subject of topics) {
    const entity = entities.get(subject)
    if (!entity) continue
    const isKnown = byEntity.get(entity.id)?.name === entity.name
    if (isKnown && !touched.has(subject)) continue
    const page = { agentId, subject, entity, digest: byEntity.get(entity.id)?.digest }
    if (await buildPage(needs, db, { ...page, sources })) built += 1
  }
  return built
}

interface Page {
  readonly agentId: string
  readonly subject: string
  readonly entity: {
    readonly id: string
    readonly name: string
    readonly aliases: readonly string[]
  }
  readonly digest: string | undefined
  readonly sources: readonly RenderedSource[]
}

async function buildPage(
  needs: DreamingNeeds,
  db: Db,
  { agentId, subject, entity, digest: oldDigest, sources }: Page,
): Promise<boolean> {
  const claims = await listPageClaims(needs, db, { agentId, entityId: entity.id })
  const active = claims.filter(({ isActive }) => isActive)
  if (active.length === 0) return false
  const stated: RenderedSource[] = []
  for (const ref of await listSourcesOf(db, { agentId, subject, limit: maxPageSources })) {
    const source = await readSource(needs, db, { ...ref, agentId })
    if (source) stated.push(source)
  }
  const all = [
    ...new Map([...stated, ...sources].map((source) => [toRef(source), source])).values(),
  ]
  const mentions = await needs.rules.chooseMentions({
    names: [entity.name, ...entity.aliases],
    sources: all.map((source) => ({
      ref: toRef(source),
      text: source.text,
      isTranscript: source.sourceKind === 'transcript',
    })),
  })
  const cited = claims.flatMap(({ quotes }) => quotes.map(({ ref }) => ref))
  const refs = [...new Set([...cited, ...mentions.map(({ ref }) => ref)])].toSorted()
  const parts = { refs, mentions }
  const digest = digestOf(claims, parts)
  if (digest === oldDigest) return false
  await savePage(needs.db, {
    agentId,
    name: entity.name,
    entityId: entity.id,
    digest,
    claims: active.length,
    parts: JSON.stringify(parts),
    updatedAt: needs.host.now().toISOString(),
  })
  return true
}
