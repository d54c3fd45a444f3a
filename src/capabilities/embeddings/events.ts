import { defineEvent } from '../../kernel/events/events.ts'

/** The vectors of this model identity now answer searches. */
export const embeddingsPromoted = defineEvent<{ readonly identity: string }>('embeddings.promoted')
