import type { Db } from '../../../kernel/db/database.ts'
import { notFound, type Refusal } from '../../../kernel/errors/refusal.ts'
import { toCanonicalName } from '../../knowledge/index.ts'
import { type SourceKind, toRef } from '../evidence/evidence.ts'
import { type RenderedSource, readSource } from '../evidence/source.ts'
import type { DreamingNeeds } from '../needs.ts'
import { listPendingAttention } from '../store/attention.ts'
import { listPages } from '../store/pages.ts'
import type { PageRow } from '../store/rows.ts'
import { listPageClaims, type PageParts } from './page.ts'
import { renderPage } from './render.ts'

const maxAttention = 1_000

/** Pages of active entities. */
export async function readPages(needs: DreamingNeeds, agentId: string) {
  const pages = needs.config().pages ? await listLivePages(needs, agentId) : []
  return {
    items: pages.map(({ name, entityId: entity, claims, updatedAt }) => ({
      name,
      entity,
      claims,
      updatedAt,
    })),
  }
}

async function listLivePages(needs: DreamingNeeds, agentId: string): Promise<PageRow[]> {
  const { db, knowledge } = needs
  const pages = await listPages(db, agentId)
  const entityIds = pages.map(({ entityId }) => entityId)
  const claims = await knowledge.ledger.listClaimsOf(db, agentId, entityIds)
  const live = new Set(
    claims.filter(({ status }) => status === 'active').map(({ entityId }) => entityId),
  )
  return pages.filter(({ entityId }) => live.has(entityId))
}

/** The text of a page, made of the evidence that is live now. */
export async function readPage(needs: DreamingNeeds, agentId: string, wanted: string) {
  const { db } = needs
  const name = toCanonicalName(wanted)
  const pages = needs.config().pages ? await listPages(db, agentId) : []
  const page = pages.find((one) => toCanonicalName(one.name) === name)
  if (!page) throw pageNotFound()
  const sources = createSources(needs, db, agentId)
  const { entityId } = page
  const claims = []
  for (const claim of await listPageClaims(needs, db, { agentId, entityId })) {
    const quotes = []
    for (const quote of claim.quotes)
      if ((await sources.read(quote.ref))?.text.includes(quote.quote)) quotes.push(quote)
    if (quotes.length > 0) claims.push({ ...claim, quotes })
  }
  if (!claims.some(({ isActive }) => isActive)) throw pageNotFound()
  const mentions = await readMentions(page, sources)
  const contested = await listContested(needs, agentId)
  const { text, references } = renderPage({ name: page.name, claims, contested, mentions })
  return {
    name: page.name,
    entity: entityId,
    text,
    references: await Promise.all(
      references.map(async ({ number, ref }) => ({
        number,
        ref,
        sourceTime: (await sources.read(ref))?.sourceTime ?? null,
      })),
    ),
    updatedAt: page.updatedAt,
  }
}

function pageNotFound(): Refusal {
  return notFound('Dreaming page not found')
}

type Sources = ReturnType<typeof createSources>

/** Each source is read once. */
function createSources(needs: DreamingNeeds, db: Db, agentId: string) {
  const known = new Map<string, Promise<RenderedSource | undefined>>()
  return {
    read: (ref: string) => {
      const colon = ref.indexOf(':')
      const sourceKind = ref.slice(0, colon) as SourceKind
      const source =
        known.get(ref) ??
        readSource(needs, db, { agentId, sourceKind, sourceId: ref.slice(colon + 1) })
      known.set(ref, source)
      return source
    },
  }
}

async function readMentions({ parts }: PageRow, sources: Sources) {
  const { mentions } = JSON.parse(parts) as PageParts
  const found = []
  for (const { ref, start, length } of mentions) {
    const source = await sources.read(ref)
    const sentence = source?.text.slice(start, start + length) ?? ''
    if (source && sentence.trim() !== '') found.push({ ref: toRef(source), sentence })
  }
  return found
}

async function listContested({ db }: DreamingNeeds, agentId: string): Promise<ReadonlySet<string>> {
  const items = await listPendingAttention(db, agentId, maxAttention)
  const ids = items
    .filter(({ kind }) => kind === 'contested_claim')
    .map(({ subjectRef }) => subjectRef.replace(/^(?:claim|attribute):/, ''))
  return new Set(ids)
}
