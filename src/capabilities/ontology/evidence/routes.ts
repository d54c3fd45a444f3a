import { assertAllProjects } from '../../../kernel/auth/permission.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import { claimEvidenceQuery } from '../../knowledge/index.ts'
import type { OntologyNeeds } from '../needs.ts'
import * as reply from '../replies.ts'
import * as wire from '../schemas.ts'
import { createCitationReader } from './resolve.ts'

const reads = {
  method: 'GET',
  permission: 'recall',
  bodyPrecondition: assertAllProjects,
} as const

/** What supports claims and links, with the words of the sources. */
export function evidenceRoutes(needs: OntologyNeeds): readonly Route[] {
  const { db, knowledge } = needs
  return [
    route({
      ...reads,
      name: 'knowledge.claim-evidence',
      path: '/api/ontology/claims/evidence',
      summary: 'List the evidence of the values of a claim slot.',
      query: claimEvidenceQuery,
      reply: reply.claimEvidenceReply,
      handle: async ({ caller: { agentId }, query }) => {
        const slot = await knowledge.reader.readClaimEvidence(db, { agentId }, query)
        const citations = slot.items.flatMap(({ evidence }) => evidence)
        const resolve = await createCitationReader(needs, agentId, citations)
        const items = slot.items.map(async (item) => ({
          ...item,
          evidence: await Promise.all(item.evidence.map(resolve)),
        }))
        return { ...slot, items: await Promise.all(items) }
      },
    }),
    route({
      ...reads,
      name: 'knowledge.link-evidence',
      path: '/api/ontology/links/:id/evidence',
      summary: 'List the evidence of a link.',
      params: wire.byId,
      query: wire.agentQuery,
      reply: reply.linkEvidenceReply,
      handle: async ({ caller: { agentId }, params: { id } }) => {
        const link = await knowledge.reader.readLinkEvidence(db, { agentId }, id)
        const resolve = await createCitationReader(needs, agentId, link.items)
        return { ...link, items: await Promise.all(link.items.map(resolve)) }
      },
    }),
  ]
}
