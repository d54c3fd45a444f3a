import { defineEvent } from '../../kernel/events/events.ts'

/** Searches use the vectors of this model identity from now on. */
export const embeddingsPromoted = defineEvent<{ readonly identity: string }>('embeddings.promoted')
