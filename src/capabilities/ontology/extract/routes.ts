import { assertAllProjects } from '../../../kernel/auth/permission.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import type { OntologyNeeds } from '../needs.ts'
import { consolidate } from './consolidate.ts'
import { extract } from './extract.ts'
import * as wire from './schemas.ts'
import type { TextReader } from './text-reader.ts'

/** Proposals from sources and from other proposals. */
export function extractRoutes(
  needs: OntologyNeeds & { readonly textReader: Pick<TextReader, 'listCandidates' | 'draft'> },
): readonly Route[] {
  const writes = {
    method: 'POST',
    permission: 'modify',
    onInvalidBody: 'empty',
    bodyPrecondition: assertAllProjects,
  } as const
  return [
    route({
      ...writes,
      name: 'ontology.extract',
      path: '/api/ontology/extract',
      summary: 'Propose what a source states. Nothing is stored without a write flag.',
      body: wire.extractBody,
      reply: wire.extractReply,
      limit: ({ body }) => (body.use_provider === true ? ['recallLlm'] : []),
      handle: ({ caller, body, signal }) => extract(needs, caller, { ...body, signal }),
    }),
    route({
      ...writes,
      name: 'ontology.consolidate',
      path: '/api/ontology/consolidate',
      summary: 'Review stored proposals together. Nothing is applied or rejected.',
      body: wire.consolidateBody,
      reply: wire.consolidateReply,
      limit: ({ body }) => (body.use_provider === true ? ['recallLlm'] : []),
      handle: ({ caller, body, signal }) => consolidate(needs, caller, { ...body, signal }),
    }),
  ]
}
