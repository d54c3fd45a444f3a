import type { z } from 'zod'
import type { addDocument, DocumentRequest } from './add-document.ts'
import type { addBody, addedReply } from './schemas.ts'

export function toAddRequest(body: z.output<typeof addBody>): DocumentRequest {
  return {
    sourceType: body.source_type,
    content: body.content,
    encoding: body.encoding,
    url: body.url,
    title: body.title,
    contentType: body.content_type,
    connectorId: body.connector_id,
    metadata: body.metadata,
    project: body.project,
  }
}

export function toAddedReply({
  id,
  status,
  jobId,
  deduplicated,
}: Awaited<ReturnType<typeof addDocument>>): z.input<typeof addedReply> {
  return { id, status, jobId, ...(deduplicated && { deduplicated }) }
}
